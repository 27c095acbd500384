import type { DirectInput, DirectParams } from '../contracts/direct-protocol.ts';
import { parseInput } from '../json/parse-input.ts';
import { ModerationsSchema } from './schema.ts';

/** @throws GatewayError `invalid_request` */
export function decodeModeration({ body }: DirectInput): DirectParams<'moderation'> {
  const { model, input, ...fields } = parseInput(ModerationsSchema, body ?? {});
  return { ...(model !== undefined && { model }), params: { input, foreign: { protocol: 'openai', fields } } };
}
