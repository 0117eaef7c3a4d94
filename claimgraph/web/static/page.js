// What the pages do beyond plain HTML; without scripts everything can still be read and sent.
"use strict";

// A click on a claim opens its block; so does an address that names one.
function openTarget() {
  const block = location.hash && document.getElementById(location.hash.slice(1));
  const details = block && block.closest("details");
  if (!details) return;
  details.open = true;
  details.scrollIntoView({ block: "nearest" });
  details.querySelector("summary").focus();
}
addEventListener("hashchange", openTarget);
addEventListener("DOMContentLoaded", openTarget);
for (const link of document.querySelectorAll("a.claim"))
  link.addEventListener("click", () => setTimeout(openTarget));

// A text file that is dropped on a field becomes its text.
for (const field of document.querySelectorAll("#check textarea")) {
  field.addEventListener("dragover", (event) => event.preventDefault());
  field.addEventListener("drop", (event) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    const input = field.parentElement.querySelector("input[type=file]");
    input.files = event.dataTransfer.files;
    if (/\.(txt|md)$/i.test(file.name)) file.text().then((text) => { field.value = text; input.value = ""; });
  });
}

// While a text is checked the button rests.
const form = document.getElementById("check");
if (form) form.addEventListener("submit", () => {
  form.querySelector("button").disabled = true;
  document.getElementById("wait").textContent = "Checking …";
});
addEventListener("pageshow", () => {
  if (form) form.querySelector("button").disabled = false;
});

// A run's progress, until it is over; then the whole page.
const progress = document.querySelector("[data-events]");
if (progress) {
  const events = new EventSource(progress.dataset.events);
  events.onmessage = (event) => {
    const run = JSON.parse(event.data);
    document.getElementById("status").textContent = run.status;
    document.getElementById("done").textContent = run.done + run.failed;
    progress.querySelector("progress").value = run.done + run.failed;
    if (["complete", "cancelled", "parked"].includes(run.status)) { events.close(); location.reload(); }
  };
}
