/** An image in base64. */
export interface ImageBlock {
  mediaType: string;
  data: string;
}

/** A tool that the model may call. */
export interface ToolOffer {
  name: string;
  description: string;
  /** JSON Schema of its arguments. */
  schema: Record<string, unknown>;
}

/** The model wants a tool to run. */
export interface Call {
  /** Empty: the vendor gave none, as Gemini's older models do. */
  id: string;
  name: string;
  args: unknown;
}

/** A tool result. A protocol without error marks or without images here carries only the text. */
export interface Outcome {
  call: Call;
  text: string;
  isError?: boolean;
  image?: ImageBlock;
}

/** One turn of a conversation. */
export type Turn =
  | { from: 'user'; text: string; image?: ImageBlock }
  /** Sent back as the SDK gave it. */
  | { from: 'model'; reply: Reply }
  | { from: 'tools'; outcomes: Outcome[] };

/** A request, independent of the SDK. */
export interface Question {
  model: string;
  turns: Turn[];
  system?: string;
  tools?: ToolOffer[];
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

/** Tokens, inclusive whatever the protocol: input holds the cached, output the reasoning. */
export interface Usage {
  input: number;
  output: number;
  cached: number;
  reasoning: number;
  /** If the protocol reports it. */
  total?: number;
}

/** An answer. */
export interface Reply {
  model: string;
  text: string;
  reasoning: string;
  calls: Call[];
  finish: 'stop' | 'stop_sequence' | 'length' | 'tools' | 'other';
  usage: Usage;
  /** Structured output as the SDK read it. */
  parsed?: unknown;
  /** The answer as the SDK wants it back. */
  said: unknown;
}

/** A streamed response. */
export interface StreamedReply extends Reply {
  /** Pieces of the text. */
  chunks: string[];
  /** All that the SDK's iteration gave, in order. */
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
  /** Absent: as the SDK does by itself. */
  maxRetries?: number;
}

/** An official SDK behind one face: requests are made and answers are read by the SDK alone. */
export interface TextClient {
  ask(request: Question): Promise<Reply>;
  /** Streams with the SDK's helper where it has one. */
  stream(request: Question): Promise<StreamedReply>;
  /** Streams without a helper; @throws where the answer ends in an error */
  iterate(request: Question): AsyncIterable<unknown>;
  /** Which kind of error the SDK threw. */
  failureOf(error: unknown): Failure;
  listModels(): Promise<string[]>;
  /** Counts a question's tokens; absent: the SDK has no such call. */
  count?(request: Question): Promise<number>;
}

/** The protocols that SDKs speak. */
export type Protocol = 'chat-completions' | 'responses' | 'messages' | 'generative-content';

/** A way to make clients. */
export interface ClientKind {
  /** SDK, version and protocol, for test names. */
  name: string;
  protocol: Protocol;
  open(options: ClientOptions): TextClient;
}
