import type { ApiRequest } from '../protocols/text-protocol.ts';
import { typescriptLiteral } from './literals.ts';
import { type Sdk, type SdkCall, sdkCallOf } from './sdk-call.ts';

/** Formats a request for the TypeScript SDK of its protocol. @param origin base URL of Sluice, without a slash at the end */
export function typescriptSnippet(request: ApiRequest, origin: string): string {
  const call = sdkCallOf(request);
  const create = `await client.${call.typescript}(${paramsOf(call)})`;
  return `${importsOf(call)}${clientOf(call.sdk, origin)}\n\n${useOf(call, create)}\n`;
}

function importsOf({ files, result }: SdkCall): string {
  const hasFiles = Object.keys(files).length > 0;
  const stored = result === 'video' || result === 'audio';
  const names = [...(hasFiles ? ['createReadStream'] : []), ...(stored ? ['writeFileSync'] : [])];
  return names.length === 0 ? '' : `import { ${names.join(', ')} } from 'node:fs';\n`;
}

function clientOf(sdk: Sdk, origin: string): string {
  const key = 'apiKey: process.env.SLUICE_KEY';
  switch (sdk) {
    case 'openai':
      return `import OpenAI from 'openai';\n\nconst client = new OpenAI({ ${key}, baseURL: '${origin}/v1' });`;
    case 'anthropic':
      return `import Anthropic from '@anthropic-ai/sdk';\n\nconst client = new Anthropic({ ${key}, baseURL: '${origin}' });`;
    case 'google':
      return `import { GoogleGenAI } from '@google/genai';\n\nconst client = new GoogleGenAI({ ${key}, httpOptions: { baseUrl: '${origin}' } });`;
  }
}

function paramsOf({ params, files }: SdkCall): string {
  const names = Object.keys(files);
  const text = typescriptLiteral(params);
  if (names.length === 0) return text;
  const streams = Object.entries(files).map(
    ([name, file]) => `  ${name}: createReadStream(${JSON.stringify(file)}),\n`,
  );
  const fields = Object.entries(params).map(([name, value]) => `  ${name}: ${typescriptLiteral(value, '  ')},\n`);
  return `{\n${[...fields, ...streams].join('')}}`;
}

function useOf({ sdk, result, isStream, params }: SdkCall, create: string): string {
  switch (result) {
    case 'text':
      if (!isStream) return `const response = ${create};\nconsole.log(JSON.stringify(response, null, 2));`;
      return `const stream = ${create};\nfor await (const event of stream) console.log(${sdk === 'google' ? 'event.text' : 'JSON.stringify(event)'});`;
    case 'video':
      return `let video = ${create};
while (video.status === 'queued' || video.status === 'in_progress') {
  await new Promise((resolve) => setTimeout(resolve, 2000));
  video = await client.videos.retrieve(video.id);
  console.log(video.status, video.progress);
}
const content = await client.videos.downloadContent(video.id);
writeFileSync('video.mp4', Buffer.from(await content.arrayBuffer()));`;
    case 'image':
      return `const response = ${create};\nfor (const image of response.data ?? []) console.log(image.url);`;
    case 'audio':
      return `const speech = ${create};\nwriteFileSync('speech.${fileTypeOf(params)}', Buffer.from(await speech.arrayBuffer()));`;
    case 'transcript':
      return `const transcript = ${create};\nconsole.log(transcript.text);`;
  }
}

function fileTypeOf({ response_format: format }: SdkCall['params']): string {
  return typeof format === 'string' ? format : 'mp3';
}
