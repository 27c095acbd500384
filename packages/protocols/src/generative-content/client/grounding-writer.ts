import type { Citation, TextBlock } from '@sluice/canonical';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import type { JsonObject } from '../../json/values.ts';

/** Collects the citations of one candidate's texts as `groundingMetadata`, whose ranges are bytes of the complete text. */
export class GroundingWriter {
  readonly #lost: ResponseContext['lost'];
  #byteLength = 0;
  readonly #chunks: JsonObject[] = [];
  readonly #supports: JsonObject[] = [];

  constructor({ lost }: ResponseContext) {
    this.#lost = lost;
  }

  add({ text, citations = [] }: Pick<TextBlock, 'text' | 'citations'>): void {
    for (const citation of citations) this.#cite(citation, text);
    this.#byteLength += Buffer.byteLength(text);
  }

  metadata(): JsonObject | undefined {
    if (this.#chunks.length === 0) return undefined;
    return {
      groundingChunks: this.#chunks,
      groundingSupports: this.#supports.length > 0 ? this.#supports : undefined,
    };
  }

  #cite({ url, title, text: cited, fileId, start, end }: Citation, text: string): void {
    if (fileId !== undefined) this.#lost?.('citations');
    if (url === undefined && title === undefined && cited === undefined) return;
    if (url !== undefined && cited !== undefined && cited !== '') this.#lost?.('cited text');
    this.#chunks.push(url === undefined ? { retrievedContext: { title, text: cited } } : { web: { uri: url, title } });
    if (start === undefined && end === undefined) return;
    const segment = {
      startIndex: this.#byteLength + Buffer.byteLength(text.slice(0, start ?? 0)),
      endIndex: this.#byteLength + Buffer.byteLength(text.slice(0, end)),
      text: text.slice(start ?? 0, end),
    };
    this.#supports.push({ segment, groundingChunkIndices: [this.#chunks.length - 1] });
  }
}
