import { textTokens } from '../text/estimate-tokens.ts';

/** Members that hold what a model says, in the streams of all text protocols. */
const SAID =
  /"(?:text|content|delta|thinking|partial_json|arguments|reasoning|reasoning_content|refusal)"\s*:\s*"((?:[^"\\]|\\.)*)"/g;

/**
 * About how many tokens of an answer stand in events of its stream: for clients that leave before usage is told.
 * @param events whole events, as they are sent
 */
export function sentTokens(events: string): number {
  let tokens = 0;
  for (const [, said = ''] of events.matchAll(SAID)) tokens += textTokens(said);
  return tokens;
}
