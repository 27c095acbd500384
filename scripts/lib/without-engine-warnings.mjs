/** The Node that runs npm may be too old for our packages, but another Node runs them. */
export function withoutEngineWarnings(output) {
  const lines = output.split('\n').filter((line) => !/^npm warn EBADENGINE/i.test(line));
  return lines.join('\n').trim();
}
