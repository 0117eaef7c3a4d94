"""Files for tests that read them: a PDF with a line of text a page, and a Word file."""

from __future__ import annotations

from pathlib import Path

from docx import Document


def pdf(path: Path, *pages: str) -> Path:
    """Write a PDF with the lines of each text on a page of its own."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    kids = []
    for text in pages:
        shown = " T* ".join(f"({line}) Tj" for line in text.splitlines())
        stream = f"BT /F1 12 Tf 14 TL 50 700 Td {shown} ET"
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        fonts = "<< /Font << /F1 3 0 R >> >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources {fonts} /Contents {len(objects)} 0 R >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    data, places = "%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(data)}\n%%EOF\n"
    path.write_bytes((data + end + trailer).encode("latin-1"))
    return path


def docx(path: Path, *paragraphs: str, rows: tuple[tuple[str, ...], ...] = ()) -> Path:
    """Write a Word file with these paragraphs, and a table after them."""
    document = Document()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    if rows:
        table = document.add_table(len(rows), len(rows[0]))
        for row, texts in zip(table.rows, rows, strict=True):
            for cell, text in zip(row.cells, texts, strict=True):
                cell.text = text
    document.save(str(path))
    return path
