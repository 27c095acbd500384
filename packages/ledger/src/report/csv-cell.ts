/** Spreadsheets run a cell that begins like a formula. A leading apostrophe makes it text (OWASP, CSV injection). */
export function csvCell(text: string): string {
  const cell = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
