import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A vendor of chat completions that counts how often it received each line. */
export interface CountingVendor {
  /** The base URL for clients, `http://…/v1`. */
  url: string;
  /** Calls by the number of the line, from 0. */
  calls: Uint8Array;
  close(): void;
}

/** The vendor's prices, in US dollars for a million tokens. */
export const PRICE = { input: 1, output: 2 };

export interface VendorUsage {
  prompt_tokens: number;
  completion_tokens: number;
}

/** Returns the usage that the vendor reports for a line. It differs between lines, so that mixed-up costs are noticed. */
export function usageOf(line: number): VendorUsage {
  return { prompt_tokens: 10 + (line % 7), completion_tokens: 5 + (line % 5) };
}

/** @returns the cost at {@link PRICE}, in nano-dollars */
export function costOf({ prompt_tokens: input, completion_tokens: output }: VendorUsage): number {
  return (input * PRICE.input + output * PRICE.output) * 1_000;
}

/** @param delayMs time until a response */
export async function startCountingVendor(lines: number, delayMs: number): Promise<CountingVendor> {
  const calls = new Uint8Array(lines);
  const server = createServer((request, response) => void respond(request, response, { calls, delayMs }));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
  return { url: `http://127.0.0.1:${port}/v1`, calls, close: () => server.close() };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { calls, delayMs }: { calls: Uint8Array; delayMs: number },
): Promise<void> {
  // The cast is safe because the gateway sends this format. A killed gateway may cut it off.
  const body = (await json(request).catch(() => undefined)) as { messages: { content: string }[] } | undefined;
  const line = Number(body?.messages[0]?.content);
  if (!(line < calls.length)) return void response.destroy();
  calls[line] = (calls[line] ?? 0) + 1;
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  const message = { role: 'assistant', content: `The number is ${line}.` };
  const { prompt_tokens, completion_tokens } = usageOf(line);
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ id: `c-${line}`, object: 'chat.completion', created: 1, model: 'm', choices, usage }));
}
