import { Client } from './client.ts';

/** A client that keeps everything that it is told, headers and all. */
export class EavesdroppedClient extends Client {
  heard = '';

  override async fetch(at: string, init?: RequestInit): Promise<Response> {
    const answer = await super.fetch(at, init);
    const isText = !/^(video|image)\//.test(answer.headers.get('content-type') ?? '');
    this.heard += JSON.stringify([...answer.headers]) + (isText ? await answer.clone().text() : '');
    return answer;
  }
}
