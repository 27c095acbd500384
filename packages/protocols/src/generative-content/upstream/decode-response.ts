import { type Choice, GatewayError, type Generation } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { createResponseReader } from './response-reader.ts';

/**
 * Reads a complete response.
 * @throws GatewayError `provider_error` when it is invalid or unusable; the error of `decodeError` for an error body
 */
export function decodeResponse(body: unknown, context: UpstreamResponseContext): Generation {
  if (!isRecord(body)) throw new GatewayError('provider_error', 'The upstream returned an invalid response.');
  const reader = createResponseReader(context);
  const generation: Generation = { id: '', model: context.target.model, choices: [] };
  const choices = new Map<number, Choice>();
  const choiceOf = (index: number): Choice => {
    const known = choices.get(index) ?? { content: [], finish: 'other' };
    choices.set(index, known);
    return known;
  };
  for (const event of [...reader.read(body), ...reader.end(true)]) {
    if (event.type === 'error') throw event.error;
    if (event.type === 'start') {
      generation.id = event.id;
      generation.model = event.model;
    }
    if (event.type === 'block-end') choiceOf(event.choice).content.push(event.block);
    if (event.type === 'finish') {
      const choice = choiceOf(event.choice);
      choice.finish = event.finish;
      if (event.detail !== undefined) choice.detail = event.detail;
    }
    if (event.type === 'usage') generation.usage = event.usage;
  }
  generation.choices = [...choices].toSorted(([one], [other]) => one - other).map(([, choice]) => choice);
  return generation;
}
