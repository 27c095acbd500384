export interface Video {
  id: string;
  status: string;
  progress: number;
  error?: { code: string; message: string };
}

/** Submission counts as the sandbox reports them. */
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
  /** Peak number of concurrent jobs, keyed by vendor API. */
  most_running: Record<string, number>;
}

/** Maximum time for retries. It is long because programs start slowly on a busy machine. */
const RETRY_MS = 60_000;

/** A plain HTTP client. */
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

  /** Creates a video. Retries until the API responds. */
  async create(prompt: string, idempotencyKey: string, seconds = '1'): Promise<Video> {
    for (const until = Date.now() + RETRY_MS; ;) {
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

  /** @returns undefined while the API is unavailable */
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

/** Thrown if an accepted task no longer exists. */
export class LostTaskError extends Error {}

const SUBMISSIONS_PAUSE_MS = 500;

/** Repeats a failed request, because the sandbox of a busy machine may be slow to accept connections. */
export async function sandboxSubmissions(sandboxUrl: string): Promise<SandboxSubmissions> {
  for (const until = Date.now() + RETRY_MS; ;) {
    try {
      return (await (await fetch(`${sandboxUrl}/_sandbox/submissions`)).json()) as SandboxSubmissions;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, SUBMISSIONS_PAUSE_MS));
  }
}
