import { type ApiRequest, isObject, textOf } from '../protocols/text-protocol.ts';

export type Sdk = 'openai' | 'anthropic' | 'google';

/** A request as a call of an SDK. */
export interface SdkCall {
  sdk: Sdk;
  /** Methods of the client, e.g. `chat.completions.create`, as they are named in each language. */
  python: string;
  typescript: string;
  params: Readonly<Record<string, unknown>>;
  /** Fields that are files, with their names. */
  files: Readonly<Record<string, string>>;
  isStream: boolean;
  /** The result that the snippet prints or stores. */
  result: 'text' | 'video' | 'image' | 'audio' | 'transcript';
}

type Shape = Pick<SdkCall, 'sdk' | 'python' | 'typescript' | 'result'>;

const openai = (path: string, result: SdkCall['result']): Shape => ({
  sdk: 'openai',
  python: path,
  typescript: path,
  result,
});

const SHAPES: Readonly<Record<string, Shape>> = {
  '/v1/chat/completions': openai('chat.completions.create', 'text'),
  '/v1/responses': openai('responses.create', 'text'),
  '/v1/messages': { sdk: 'anthropic', python: 'messages.create', typescript: 'messages.create', result: 'text' },
  '/v1/videos': openai('videos.create', 'video'),
  '/v1/images/generations': openai('images.generate', 'image'),
  '/v1/images/edits': openai('images.edit', 'image'),
  '/v1/audio/speech': openai('audio.speech.create', 'audio'),
  '/v1/audio/transcriptions': openai('audio.transcriptions.create', 'transcript'),
};

/** Returns a request as a call of the SDK of its protocol. */
export function sdkCallOf({ path, json = {}, form = [] }: ApiRequest): SdkCall {
  const generative = /^\/v1beta\/models\/(.+):(stream)?[gG]enerateContent/.exec(path);
  if (generative) return generativeCall(decodeURIComponent(generative[1] ?? ''), generative[2] !== undefined, json);
  const shape = SHAPES[path] ?? openai('chat.completions.create', 'text');
  const texts = form.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
  const files = form.flatMap(([name, value]) => (typeof value === 'string' ? [] : [[name, value.name] as const]));
  return {
    ...shape,
    params: { ...json, ...Object.fromEntries(texts) },
    files: Object.fromEntries(files),
    isStream: json['stream'] === true,
  };
}

/** Google's SDKs have all options in `config`. */
function generativeCall(model: string, isStream: boolean, json: Readonly<Record<string, unknown>>): SdkCall {
  const { contents, generationConfig, systemInstruction, ...rest } = json;
  const [part] =
    isObject(systemInstruction) && Array.isArray(systemInstruction['parts']) ? systemInstruction['parts'] : [];
  const system = isObject(part) ? textOf(part['text']) : '';
  const config = {
    ...(isObject(generationConfig) && generationConfig),
    ...(system !== '' && { systemInstruction: system }),
    ...rest,
  };
  return {
    sdk: 'google',
    python: isStream ? 'models.generate_content_stream' : 'models.generate_content',
    typescript: isStream ? 'models.generateContentStream' : 'models.generateContent',
    params: { model, contents, ...(Object.keys(config).length > 0 && { config }) },
    files: {},
    isStream,
    result: 'text',
  };
}
