import type { ApiRequest } from '../protocols/text-protocol.ts';
import { pythonLiteral } from './literals.ts';
import { type Sdk, type SdkCall, sdkCallOf } from './sdk-call.ts';

const KEY = 'os.environ["SLUICE_KEY"]';

/** Formats a request for the Python SDK of its protocol. @param origin base URL of Sluice, without a slash at the end */
export function pythonSnippet(request: ApiRequest, origin: string): string {
  const call = sdkCallOf(request);
  const create = `client.${call.python}(${argumentsOf(call)})`;
  return `import os\n${importsOf(call)}${clientOf(call.sdk, origin)}\n\n${useOf(call, create)}\n`;
}

function importsOf({ result }: SdkCall): string {
  return result === 'video' ? 'import time\n' : '';
}

function clientOf(sdk: Sdk, origin: string): string {
  const url = (path: string): string => JSON.stringify(origin + path);
  switch (sdk) {
    case 'openai':
      return `from openai import OpenAI\n\nclient = OpenAI(base_url=${url('/v1')}, api_key=${KEY})`;
    case 'anthropic':
      return `from anthropic import Anthropic\n\nclient = Anthropic(base_url=${url('')}, api_key=${KEY})`;
    case 'google':
      return `from google import genai\n\nclient = genai.Client(api_key=${KEY}, http_options={"base_url": ${url('')}})`;
  }
}

function argumentsOf({ params, files }: SdkCall): string {
  const named = [
    ...Object.entries(params).map(([name, value]) => `${name}=${pythonLiteral(value, '    ')}`),
    ...Object.entries(files).map(([name, file]) => `${name}=open(${JSON.stringify(file)}, "rb")`),
  ];
  return `\n${named.map((one) => `    ${one},\n`).join('')}`;
}

function useOf({ sdk, result, isStream, params }: SdkCall, create: string): string {
  switch (result) {
    case 'text':
      if (!isStream) return `response = ${create}\nprint(response)`;
      return `for event in ${create}:\n    print(${sdk === 'google' ? 'event.text' : 'event'})`;
    case 'video':
      return `video = ${create}
while video.status in ("queued", "in_progress"):
    time.sleep(2)
    video = client.videos.retrieve(video.id)
    print(video.status, video.progress)
client.videos.download_content(video.id).write_to_file("video.mp4")`;
    case 'image':
      return `response = ${create}\nfor image in response.data:\n    print(image.url)`;
    case 'audio':
      return `${create}.write_to_file("speech.${fileTypeOf(params)}")`;
    case 'transcript':
      return `print(${create}.text)`;
  }
}

function fileTypeOf({ response_format: format }: SdkCall['params']): string {
  return typeof format === 'string' ? format : 'mp3';
}
