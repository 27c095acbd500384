import { Client } from './client.ts';

/** A client that records the headers and bodies of all responses. */
export class RecordingClient extends Client {
  recorded = '';

  override async fetch(url: string, init?: RequestInit): Promise<Response> {
    const response = await super.fetch(url, init);
    const isText = !/^(video|image)\//.test(response.headers.get('content-type') ?? '');
    this.recorded += JSON.stringify([...response.headers]) + (isText ? await response.clone().text() : '');
    return response;
  }
}
