/** A video as the protocol shows it; only what the tests look at. */
export interface Video {
  id: string;
  status: string;
  progress: number;
  error?: { code: string; message: string };
}

/** The sandbox's counts of submissions. */
export interface SandboxSubmissions {
  submissions: {
    wire: string;
    task: string;
    prompt: string;
    applied: number;
    refused: number;
    upstream_ids: string[];
    inputs: unknown[];
  }[];
  total_applied: number;
  /** The most jobs of a wire that ran at one time. */
  most_running: Record<string, number>;
}

/** How long a client repeats a create that is not answered; programs start slowly on a busy machine. */
const PATIENCE_MS = 60_000;

/** Calls the API as a plain HTTP client. */
export class Client {
  readonly #origin: string;
  readonly #key: string;

  constructor(origin: string, key: string) {
    this.#origin = origin;
    this.#key = key;
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${this.#key}`);
    return fetch(`${this.#origin}${path}`, { ...init, headers });
  }

  /** Creates a video, as an impatient client would: the same request until it is answered. */
  async create(prompt: string, idempotencyKey: string, seconds = '1'): Promise<Video> {
    for (const until = Date.now() + PATIENCE_MS; ;) {
      try {
        const response = await this.fetch('/v1/videos', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
          body: JSON.stringify({ prompt, seconds }),
          signal: AbortSignal.timeout(3_000),
        });
        if (response.status === 200) return (await response.json()) as Video;
        if (response.status !== 503) throw new Error(`${response.status} ${await response.text()}`);
      } catch (error) {
        if (Date.now() > until) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Reads a video; undefined while the API cannot be reached. */
  async retrieve(id: string): Promise<Video | undefined> {
    try {
      const response = await this.fetch(`/v1/videos/${id}`, { signal: AbortSignal.timeout(3_000) });
      if (response.status === 200) return (await response.json()) as Video;
      if (response.status === 404) throw new LostTaskError(id);
    } catch (error) {
      if (error instanceof LostTaskError) throw error;
    }
    return undefined;
  }
}

/** A task that was accepted is not there any more. */
export class LostTaskError extends Error {}

export async function sandboxSubmissions(sandboxUrl: string): Promise<SandboxSubmissions> {
  return (await (await fetch(`${sandboxUrl}/_sandbox/submissions`)).json()) as SandboxSubmissions;
}
