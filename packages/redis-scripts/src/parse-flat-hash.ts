/** Parses a hash in the reply of a script, which lists each field before its value. */
export function parseFlatHash(reply: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let at = 0; at + 1 < reply.length; at += 2) fields[reply[at] ?? ''] = reply[at + 1] ?? '';
  return fields;
}
