/** An image in base64. */
export interface ImageBlock {
  mediaType: string;
  data: string;
}

export interface Tool {
  name: string;
  description: string;
  /** JSON Schema of its arguments. */
  schema: Record<string, unknown>;
}

export interface Call {
  /** Empty if the vendor sends none (Gemini's older models). */
  id: string;
  name: string;
  args: unknown;
}

/** A tool result. Protocols without error flags or images in tool results send only the text. */
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

/** A request, independent of the SDK. */
export interface TextRequest {
  model: string;
  turns: Turn[];
  system?: string;
  tools?: Tool[];
  /** Requests visible reasoning in the protocol's own way. */
  think?: boolean;
  /** Requests structured output in the SDK's own way. */
  schema?: Schema;
  stop?: string[];
  maxTokens?: number;
  signal?: AbortSignal;
}

/** A JSON Schema of a closed object. */
export interface Schema extends Record<string, unknown> {
  type: 'object';
  properties: Record<string, unknown>;
  required: string[];
  additionalProperties: false;
}

/** Tokens. In every protocol, `input` includes `cached`, and `output` includes `reasoning`. */
export interface Usage {
  input: number;
  output: number;
  cached: number;
  reasoning: number;
  /** If the protocol reports it. */
  total?: number;
}

export interface Reply {
  model: string;
  text: string;
  reasoning: string;
  calls: Call[];
  finish: 'stop' | 'stop_sequence' | 'length' | 'tools' | 'other';
  usage: Usage;
  /** Structured output that the SDK parsed. */
  parsed?: unknown;
  /** The turn in the SDK's format, to send back. */
  nativeTurn: unknown;
}

export interface StreamedReply extends Reply {
  chunks: string[];
  /** All items of the SDK's iteration, in order. */
  frames: unknown[];
}

/** An error class, independent of the SDK. */
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
  /** Absent: the SDK's default. */
  maxRetries?: number;
}

/** A common interface of the official SDKs, which encode all requests and parse all responses. */
export interface TextClient {
  create(request: TextRequest): Promise<Reply>;
  /** Streams with the SDK's helper, if it has one. */
  stream(request: TextRequest): Promise<StreamedReply>;
  /** Streams without a helper. @throws if the response ends in an error */
  iterate(request: TextRequest): AsyncIterable<unknown>;
  failureOf(error: unknown): Failure;
  listModels(): Promise<string[]>;
  /** Counts the tokens of a request. Absent if the SDK has no such call. */
  count?(request: TextRequest): Promise<number>;
}

export type Protocol = 'chat-completions' | 'responses' | 'messages' | 'generative-content';

export interface ClientKind {
  /** SDK, version and protocol, for test names. */
  name: string;
  protocol: Protocol;
  open(options: ClientOptions): TextClient;
}
