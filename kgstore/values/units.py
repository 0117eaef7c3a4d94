"""Tabulate the units that texts use: spelling to base unit, factor and offset; and the currencies.

Normal forms are written in the base unit. A spelling of three letters or more may take an s.
"""

from __future__ import annotations


def _table(rows: str) -> dict[str, tuple[str, float, float]]:
    """Return spelling to (base unit, factor, offset) from lines "base | factor | offset | spellings, ..."."""
    units = {}
    for row in rows.strip().splitlines():
        base, factor, offset, spellings = (part.strip() for part in row.split("|"))
        units.update({s.strip(): (base, float(factor), float(offset)) for s in spellings.split(",")})
    return units


UNITS = _table("""
m   | 0.001 | 0 | mm, millimetre, millimeter
m   | 0.01 | 0 | cm, centimetre, centimeter
m   | 1 | 0 | m, metre, meter
m   | 1000 | 0 | km, kilometre, kilometer
m   | 0.0254 | 0 | inch, inches
m   | 0.3048 | 0 | ft, foot, feet
m   | 0.9144 | 0 | yd, yard
m   | 1609.344 | 0 | mi, mile
m   | 9.4607304725808e15 | 0 | light-year, light year
kg  | 1e-6 | 0 | mg, milligram
kg  | 0.001 | 0 | g, gram, gramme
kg  | 1 | 0 | kg, kilo, kilogram, kilogramme
kg  | 1000 | 0 | tonne, metric ton
kg  | 0.45359237 | 0 | lb, lbs, pound
kg  | 0.028349523125 | 0 | oz, ounce
kg  | 6.35029318 | 0 | stone
m²  | 1 | 0 | m², m2, sq m, square metre, square meter
m²  | 1e6 | 0 | km², km2, sq km, square kilometre, square kilometer
m²  | 2589988.110336 | 0 | mi², sq mi, square mile
m²  | 10000 | 0 | ha, hectare
m²  | 4046.8564224 | 0 | acre
l   | 0.001 | 0 | ml, millilitre, milliliter
l   | 1 | 0 | l, litre, liter
l   | 3.785411784 | 0 | gallon
km/h | 1 | 0 | km/h, kph, kmh
km/h | 1.609344 | 0 | mph, miles per hour
km/h | 3.6 | 0 | m/s
°C  | 1 | 0 | °C, degree celsius, degrees celsius
°C  | 0.5555555555555556 | -17.77777777777778 | °F, degree fahrenheit, degrees fahrenheit
s   | 0.001 | 0 | ms, millisecond
s   | 1 | 0 | sec, second
s   | 60 | 0 | min, minute
s   | 3600 | 0 | h, hr, hour
s   | 86400 | 0 | day
s   | 604800 | 0 | week
month | 1 | 0 | month
month | 12 | 0 | year, yr, year old, year-old, years old, years-old
month | 120 | 0 | decade
W   | 1 | 0 | W, watt
W   | 1000 | 0 | kW, kilowatt
W   | 1e6 | 0 | MW, megawatt
W   | 1e9 | 0 | GW, gigawatt
%   | 1 | 0 | %, percent, per cent, pc
pp  | 1 | 0 | pp, percentage point
""")
CURRENCIES = {
    "USD": "$, US$, USD, dollar, US dollar",
    "GBP": "£, GBP, pound sterling, pounds sterling",
    "EUR": "€, EUR, euro",
    "JPY": "¥, JPY, yen",
    "CNY": "CNY, yuan",
    "INR": "INR, ₹, rupee",
    "CHF": "CHF, Swiss franc",
    "CAD": "C$, CAD",
    "AUD": "A$, AUD",
}
MONEY = {spelling: code for code, row in CURRENCIES.items() for spelling in row.split(", ")}
