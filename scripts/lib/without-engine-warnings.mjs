/** Removes engine warnings. The Node that runs npm may be too old, but Sluice runs on another Node. */
export function withoutEngineWarnings(output) {
  const lines = output.split('\n').filter((line) => !/^npm warn EBADENGINE/i.test(line));
  return lines.join('\n').trim();
}
