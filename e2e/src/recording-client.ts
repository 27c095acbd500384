import { Client } from './client.ts';

/** A client that records everything it receives, including headers. */
export class RecordingClient extends Client {
  recorded = '';

  override async fetch(at: string, init?: RequestInit): Promise<Response> {
    const response = await super.fetch(at, init);
    const isText = !/^(video|image)\//.test(response.headers.get('content-type') ?? '');
    this.recorded += JSON.stringify([...response.headers]) + (isText ? await response.clone().text() : '');
    return response;
  }
}
