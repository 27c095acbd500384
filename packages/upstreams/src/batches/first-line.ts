/** Reads the first line of a source, and releases it. Empty if it has none. @param maxBytes a longer line is cut */
export async function firstLine(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  let line = Buffer.alloc(0);
  for await (const chunk of source) {
    line = Buffer.concat([line, chunk]);
    const end = line.indexOf('\n');
    if (end !== -1) return line.subarray(0, end).toString();
    if (line.length > maxBytes) break;
  }
  return line.toString();
}
