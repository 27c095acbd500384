import type { ContentBlock, LossReport, OpaqueToken, ReasoningBlock, ToolResultBlock } from '@sluice/canonical';
import { readToken, type TokenCodec } from '../../text/token-codec.ts';
import { flatToolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import type { JsonField } from '../../json/json-field.ts';
import type { CallIds } from './call-ids.ts';
import { decodeMedia } from '../wire/decode-media.ts';
import { unpackReasoning } from './reasoning-token.ts';
import { SKIP_SIGNATURE } from '../../text/skip-signature.ts';
import { filledRecord, recordFields } from '../wire/proto-json.ts';
import { type JsonObject, asNonEmptyString } from '../../json/values.ts';

export interface PartContext {
  tokenCodec: TokenCodec;
  calls: CallIds;
  report: LossReport;
}

/** Part types that only Gemini supports. */
const FOREIGN = ['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse', 'audioTranscription'] as const;
/** Part settings that the canonical model cannot represent. */
const SETTINGS = ['videoMetadata', 'mediaResolution', 'mediaProcessing', 'partMetadata', 'speechMetadata'] as const;
const NO_DATA = new Set<string>([...SETTINGS, 'thought', 'thoughtSignature', 'text']);

/**
 * Decodes a part to zero, one, or two blocks. A signature that contains another vendor's reasoning adds a reasoning
 * block. An empty part yields no block.
 * @throws GatewayError `invalid_request` with the field's name
 */
export function decodePart(field: JsonField, context: PartContext): ContentBlock[] {
  const part = field.object();
  for (const setting of SETTINGS) {
    if (filledRecord(part[setting])) context.report({ field: `contents.parts.${setting}`, how: 'dropped' });
  }
  const { opaqueToken, reasoning } = signature(part, context.tokenCodec);
  if (typeof part['text'] === 'string') {
    return decodeText(part['text'], part['thought'] === true, opaqueToken, reasoning);
  }
  const block = decodeData(field, context);
  if (!block) return reasoning ? [reasoning] : [];
  const canHoldToken = block.type === 'tool-call' || block.type === 'media';
  return [...(reasoning ? [reasoning] : []), canHoldToken ? { ...block, opaqueToken } : block];
}

function decodeText(
  text: string,
  isThought: boolean,
  opaqueToken?: OpaqueToken,
  reasoning?: ReasoningBlock,
): ContentBlock[] {
  if (isThought) {
    const thought: ReasoningBlock = reasoning ?? { type: 'reasoning', text: [], isSummary: true, opaqueToken };
    if (text === '' && !thought.opaqueToken) return [];
    return [text === '' ? thought : { ...thought, text: [text] }];
  }
  const block: ContentBlock[] = text === '' && !opaqueToken ? [] : [{ type: 'text', text, opaqueToken }];
  return reasoning ? [reasoning, ...block] : block;
}

function decodeData(field: JsonField, context: PartContext): ContentBlock | undefined {
  const part = field.object();
  const { functionCall, functionResponse } = part;
  if (isRecord(functionCall)) {
    const name = nameOf(field.get('functionCall'));
    const args = functionCall['args'] ?? {};
    return {
      type: 'tool-call',
      callId: context.calls.open(asNonEmptyString(functionCall['id']), name),
      name: flatToolName(name),
      kind: 'function',
      arguments: JSON.stringify(args),
    };
  }
  if (isRecord(functionResponse)) return decodeFunctionResponse(field.get('functionResponse'), context);
  const media = decodeMedia(field);
  if (media) return media;
  const kind = FOREIGN.find((key) => part[key] !== undefined) ?? unknownKind(part);
  return kind === undefined ? undefined : { type: 'foreign', protocol: 'generative-content', kind, raw: part };
}

/** The API defines the keys `output` and `error`. A response with other keys becomes the result as JSON text. */
function decodeFunctionResponse(field: JsonField, context: PartContext): ToolResultBlock {
  const functionResponse = field.object();
  const name = nameOf(field);
  const response = functionResponse['response'] ?? {};
  const { text, isError } = resultText(response);
  const media = recordFields(field.get('parts')).flatMap((part) => decodeMedia(part) ?? []);
  return {
    type: 'tool-result',
    callId: context.calls.close(asNonEmptyString(functionResponse['id']), name),
    name: flatToolName(name),
    kind: 'function',
    content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...media],
    isError: isError ? true : undefined,
  };
}

function resultText(response: unknown): { text: string; isError: boolean } {
  const keys = isRecord(response) ? Object.keys(response) : [];
  if (!isRecord(response) || keys.length > 1) return { text: asText(response), isError: false };
  if (keys[0] === 'output') return { text: asText(response['output']), isError: false };
  if (keys[0] === 'error') return { text: asText(response['error']), isError: true };
  return { text: keys.length === 0 ? '' : asText(response), isError: false };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function nameOf(field: JsonField): string {
  const name = field.get('name');
  if (name.nonEmptyString !== undefined) return name.nonEmptyString;
  throw name.invalid('is required');
}

function unknownKind(part: JsonObject): string | undefined {
  return Object.keys(part).find((key) => !NO_DATA.has(key));
}

/**
 * Decodes a part's signature, which holds either the part's own token or another vendor's reasoning that preceded the
 * part.
 */
function signature(
  part: JsonObject,
  tokenCodec: TokenCodec,
): { opaqueToken?: OpaqueToken; reasoning?: ReasoningBlock } {
  const value = asNonEmptyString(part['thoughtSignature']);
  if (value === undefined || value === SKIP_SIGNATURE) return {};
  const opaqueToken = readToken(tokenCodec, 'generative-content', value);
  const reasoning = unpackReasoning(opaqueToken);
  return reasoning ? { reasoning } : { opaqueToken };
}
