/** @param {string | number | boolean | null | undefined} cell */
function written(cell) {
  const text = String(cell ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * asCsv writes rows as RFC 4180 has it, with the line breaks of this system's tools.
 *
 * @param {readonly (readonly (string | number | boolean | null | undefined)[])[]} rows
 */
export const asCsv = rows => rows.map(row => `${row.map(written).join(',')}\n`).join('')
