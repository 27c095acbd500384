/** The Node that runs npm may be too old for our packages; the Node that runs them is not. */
export function withoutEngineWarnings(output) {
  const lines = output.split('\n').filter((line) => !/^npm warn EBADENGINE/i.test(line));
  return lines.join('\n').trim();
}
