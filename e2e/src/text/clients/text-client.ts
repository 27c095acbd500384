/** An image in base64. */
export interface ImageBlock {
  mediaType: string;
  data: string;
}

export interface Tool {
  name: string;
  description: string;
  /** JSON Schema of the tool's arguments. */
  schema: Record<string, unknown>;
}

export interface Call {
  /** Empty if the vendor sends no id, e.g. an older Gemini model. */
  id: string;
  name: string;
  args: unknown;
}

/** A tool result. If the protocol does not support error flags or images in tool results, only the text is sent. */
export interface Outcome {
  call: Call;
  text: string;
  isError?: boolean;
  image?: ImageBlock;
}

export type Turn =
  | { from: 'user'; text: string; image?: ImageBlock }
  | { from: 'model'; reply: Reply }
  | { from: 'tools'; outcomes: Outcome[] };

/** A request, in the same format for all SDKs. */
export interface TextRequest {
  model: string;
  turns: Turn[];
  system?: string;
  tools?: Tool[];
  /** Requests visible reasoning with the protocol's own fields. */
  think?: boolean;
  /** Requests structured output with the SDK's own helper. */
  schema?: Schema;
  stop?: string[];
  maxTokens?: number;
  signal?: AbortSignal;
}

/** A JSON Schema for an object without additional properties. */
export interface Schema extends Record<string, unknown> {
  type: 'object';
  properties: Record<string, unknown>;
  required: string[];
  additionalProperties: false;
}

/** Token counts. In every protocol, `input` includes `cached`, and `output` includes `reasoning`. */
export interface Usage {
  input: number;
  output: number;
  cached: number;
  reasoning: number;
  /** Undefined if the protocol does not report it. */
  total?: number;
}

export interface Reply {
  model: string;
  text: string;
  reasoning: string;
  calls: Call[];
  finish: 'stop' | 'stop_sequence' | 'length' | 'tools' | 'other';
  usage: Usage;
  /** Structured output as parsed by the SDK. */
  parsed?: unknown;
  /** The model's turn in the SDK's format, for the next request. */
  nativeTurn: unknown;
}

export interface StreamedReply extends Reply {
  chunks: string[];
  /** All items that the SDK's iteration yields, in order. */
  frames: unknown[];
}

/** Classes of errors that are the same for all SDKs. */
export type Failure =
  | 'rate-limit'
  | 'not-found'
  | 'authentication'
  | 'bad-request'
  | 'server'
  | 'in-stream'
  | 'abort'
  | 'other';

export interface ClientOptions {
  origin: string;
  key: string;
  /** If omitted, the SDK's default applies. */
  maxRetries?: number;
}

/** A common interface for the official SDKs. The SDKs encode all requests and parse all responses. */
export interface TextClient {
  create(request: TextRequest): Promise<Reply>;
  /** Streams with the SDK's helper, if it has one. */
  stream(request: TextRequest): Promise<StreamedReply>;
  /** Streams without a helper. @throws if the response ends with an error */
  iterate(request: TextRequest): AsyncIterable<unknown>;
  failureOf(error: unknown): Failure;
  listModels(): Promise<string[]>;
  /** Counts a request's tokens. Undefined if the SDK cannot count tokens. */
  count?(request: TextRequest): Promise<number>;
}

export type Protocol = 'chat-completions' | 'responses' | 'messages' | 'generative-content';

export interface ClientKind {
  /** SDK, version, and protocol, for test names. */
  name: string;
  protocol: Protocol;
  open(options: ClientOptions): TextClient;
}
