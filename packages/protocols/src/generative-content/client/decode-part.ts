import type { ContentBlock, LossReport, OpaqueToken, ReasoningBlock, ToolResultBlock } from '@sluice/canonical';
import { readToken, type TokenCodec } from '../../text/token-codec.ts';
import { flatToolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import { invalidField } from '../../json/json-field.ts';
import type { CallIds } from './call-ids.ts';
import { decodeMedia } from '../wire/decode-media.ts';
import { unpackReasoning } from './reasoning-token.ts';
import { SKIP_SIGNATURE } from '../../text/skip-signature.ts';
import { filledRecord, records } from '../wire/proto-json.ts';
import { type JsonObject, asNonEmptyString } from '../../json/values.ts';

export interface PartContext {
  /** The path of the part, for errors. */
  param: string;
  tokenCodec: TokenCodec;
  calls: CallIds;
  report: LossReport;
}

/** Part kinds that only Gemini understands. */
const FOREIGN = ['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse', 'audioTranscription'] as const;
/** Part settings that the canonical model cannot hold. */
const SETTINGS = ['videoMetadata', 'mediaResolution', 'mediaProcessing', 'partMetadata', 'speechMetadata'] as const;
const NO_DATA = new Set<string>([...SETTINGS, 'thought', 'thoughtSignature', 'text']);

/**
 * A signature with another vendor's reasoning yields a second block; an empty part yields none.
 * @throws GatewayError `invalid_request` naming the field
 */
export function decodePart(part: JsonObject, context: PartContext): ContentBlock[] {
  for (const setting of SETTINGS) {
    if (filledRecord(part[setting])) context.report({ field: `contents.parts.${setting}`, how: 'dropped' });
  }
  const { opaqueToken, reasoning } = signature(part, context.tokenCodec);
  if (typeof part['text'] === 'string') {
    return decodeText(part['text'], part['thought'] === true, opaqueToken, reasoning);
  }
  const block = decodeData(part, context);
  if (!block) return reasoning ? [reasoning] : [];
  const takesToken = block.type === 'tool-call' || block.type === 'media';
  return [...(reasoning ? [reasoning] : []), takesToken ? { ...block, opaqueToken } : block];
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

function decodeData(part: JsonObject, context: PartContext): ContentBlock | undefined {
  const { functionCall, functionResponse } = part;
  if (isRecord(functionCall)) {
    const name = nameOf(functionCall, `${context.param}[functionCall]`);
    const args = functionCall['args'] ?? {};
    return {
      type: 'tool-call',
      callId: context.calls.open(asNonEmptyString(functionCall['id']), name),
      name: flatToolName(name),
      kind: 'function',
      arguments: JSON.stringify(args),
    };
  }
  if (isRecord(functionResponse)) return decodeFunctionResponse(functionResponse, context);
  const media = decodeMedia(part, context.param);
  if (media) return media;
  const kind = FOREIGN.find((key) => part[key] !== undefined) ?? unknownKind(part);
  return kind === undefined ? undefined : { type: 'foreign', protocol: 'generative-content', kind, raw: part };
}

/** The API defines the keys `output` and `error`; any other response is data. */
function decodeFunctionResponse(functionResponse: JsonObject, context: PartContext): ToolResultBlock {
  const param = `${context.param}[functionResponse]`;
  const name = nameOf(functionResponse, param);
  const response = functionResponse['response'] ?? {};
  const { text, isError } = resultText(response);
  const media = records(functionResponse['parts']).flatMap(
    (part, index) => decodeMedia(part, `${param}[parts][${index}]`) ?? [],
  );
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

function nameOf({ name }: JsonObject, param: string): string {
  if (typeof name === 'string' && name !== '') return name;
  throw invalidField(`${param}[name]`, 'is required');
}

function unknownKind(part: JsonObject): string | undefined {
  return Object.keys(part).find((key) => !NO_DATA.has(key));
}

/** The signature of a part: its own, or another vendor's reasoning that came before it. */
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
