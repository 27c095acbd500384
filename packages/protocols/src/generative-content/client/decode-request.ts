import { GatewayError, type GenerationRequest } from '@sluice/canonical';
import { expectKinds } from '../../json/expect-kinds.ts';
import type { DecodeInput } from '../../contracts/text-protocol.ts';
import { decodeContents, decodeInstruction } from './decode-contents.ts';
import { decodeGenerationConfig } from './decode-generation-config.ts';
import { decodeTools } from './decode-tools.ts';
import { KNOWN_FIELDS } from './known-fields.ts';
import { normalizeRequest } from './normalize-keys.ts';
import { REQUEST_KINDS } from './request-kinds.ts';
import { isRecord } from '../../json/is-record.ts';
import { isEmpty, reportUnknownFields } from '../../losses/unknown-fields.ts';
import { filledRecord, records } from '../wire/proto-json.ts';
import { type JsonObject, asNonEmptyString } from '../../json/values.ts';

/**
 * @throws GatewayError `invalid_request` with the field's name, or `unsupported_parameter` for references to data that
 * the vendor stores
 */
export function decodeRequest({ body: sent, model, stream, tokenCodec, report }: DecodeInput): GenerationRequest {
  const body = normalizeRequest(sent);
  expectKinds(body, REQUEST_KINDS, '');
  rejectVendorState(body);
  reportUnknownFields(
    body,
    KNOWN_FIELDS,
    report,
    (value) => isEmpty(value) || (isRecord(value) && !filledRecord(value)),
  );
  const { contents } = body;
  return {
    protocol: 'generative-content',
    model,
    stream,
    messages: [
      ...decodeInstruction(body['systemInstruction'], report),
      ...decodeContents(Array.isArray(contents) ? contents : [], { tokenCodec, report }),
    ],
    ...decodeTools(body, report),
    ...decodeGenerationConfig(filledRecord(body['generationConfig']) ?? {}, report),
    safety: decodeSafety(body),
    serviceTier: decodeTier(asNonEmptyString(body['serviceTier'])),
  };
}

function rejectVendorState(body: JsonObject): void {
  for (const param of ['cachedContent', 'continuationToken']) {
    if (asNonEmptyString(body[param]) === undefined) continue;
    const problem = 'refers to data that only its vendor can access';
    const message = `${param} ${problem}. Another vendor serves this model; remove the field.`;
    throw new GatewayError('unsupported_parameter', message, { param });
  }
}

function decodeSafety(body: JsonObject): GenerationRequest['safety'] {
  const safety = records(body['safetySettings']).flatMap(({ category, threshold }) =>
    typeof category === 'string' && typeof threshold === 'string' ? [{ category, threshold }] : [],
  );
  return safety.length > 0 ? safety : undefined;
}

function decodeTier(tier: string | undefined): string | undefined {
  const name = tier?.toLowerCase();
  if (name === 'standard') return 'default';
  return name === 'unspecified' ? undefined : name;
}
