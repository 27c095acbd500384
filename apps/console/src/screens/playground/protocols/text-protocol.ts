/** A request of the API, as the playground sends and shows it. */
export interface ApiRequest {
  method: 'GET' | 'POST';
  /** Path and query, e.g. `/v1/chat/completions`. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  json?: Readonly<Record<string, unknown>>;
  /** Sent as `multipart/form-data`. */
  form?: readonly (readonly [name: string, value: string | File])[];
}

export interface Tool {
  name: string;
  description?: string;
  /** JSON schema of the arguments. */
  parameters?: Record<string, unknown>;
}

export const EFFORTS = ['', 'low', 'medium', 'high'] as const;
export type Effort = (typeof EFFORTS)[number];

export interface ChatSettings {
  model: string;
  system: string;
  stream: boolean;
  /** Empty is the model's default. */
  effort: Effort;
  maxTokens: number | undefined;
  temperature: number | undefined;
  tools: readonly Tool[];
}

export interface ToolCall {
  id: string;
  name: string;
  /** JSON text; incomplete while it is streamed. */
  args: string;
}

interface Usage {
  input: number | undefined;
  output: number | undefined;
}

/** A response of a model, complete or so far. */
export interface Reply {
  text: string;
  reasoning: string;
  toolCalls: ToolCall[];
  /** Data URLs of images that the model returned. */
  images: string[];
  finish: string | undefined;
  usage: Usage | undefined;
  /** The message in the protocol's own format. The next request of the same protocol repeats it unchanged. */
  native?: { protocol: string; value: unknown };
}

export interface ToolResult {
  call: ToolCall;
  output: string;
}

export type Turn =
  | { role: 'user'; text: string; images: readonly string[] }
  | { role: 'assistant'; reply: Reply }
  | { role: 'tool'; results: readonly ToolResult[] };

/** Reads one response into a reply. */
interface ReplyReader {
  readonly reply: Reply;
  /** Reads the JSON of one event of a stream. @throws Error with the message of an error event */
  event(data: unknown): void;
  /** Reads the body of a response that is not streamed. */
  body(data: unknown): void;
}

export interface TextProtocol {
  id: string;
  title: string;
  createRequest(this: void, settings: ChatSettings, turns: readonly Turn[]): ApiRequest;
  createReader(this: void): ReplyReader;
}

export function emptyReply(): Reply {
  return { text: '', reasoning: '', toolCalls: [], images: [], finish: undefined, usage: undefined };
}

/** Removes fields that are undefined or empty text, so that the shown request has only what is set. */
export function present(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));
}

/** Splits a data URL. @throws Error for any other text */
export function splitDataUrl(url: string): { type: string; data: string } {
  const [, type, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  if (type === undefined || data === undefined) throw new Error('The image is not a data URL.');
  return { type, data };
}

/** Parses the arguments of a tool call. An empty object if the model returned no JSON object. */
export function parseArgs(args: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(args === '' ? '{}' : args);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects of a list, or none for any other value. */
export function objectsIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function objectAt(value: unknown, name: string): Record<string, unknown> {
  const found = isObject(value) ? value[name] : undefined;
  return isObject(found) ? found : {};
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** @throws Error if a value is an error event of a stream */
export function checkError(data: unknown): void {
  const error = isObject(data) ? data['error'] : undefined;
  if (!isObject(error)) return;
  throw new Error(textOf(error['message']) || 'The stream ended with an error.');
}
