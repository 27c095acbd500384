import { type Client, LostTaskError, type Video } from './client.ts';

const FINAL = new Set(['completed', 'failed']);

export interface Findings {
  lost: string[];
  /** Tasks that left a final state, whose progress decreased, or that had an unknown state. */
  broken: string[];
  open: string[];
  ended: Map<string, Video>;
}

/** Polls tasks and checks the guarantees: no task is lost, final states do not change, progress never decreases. */
export class HistoryChecker {
  readonly #client: Client;
  readonly #last = new Map<string, Video>();
  readonly #broken: string[] = [];
  readonly #lost: string[] = [];

  constructor(client: Client) {
    this.#client = client;
  }

  async poll(ids: readonly string[]): Promise<void> {
    await Promise.all(
      ids.map(async (id) => {
        try {
          const now = await this.#client.retrieve(id);
          if (now) this.#compare(now);
        } catch (error) {
          if (!(error instanceof LostTaskError)) throw error;
          this.#lost.push(id);
        }
      }),
    );
  }

  /** Polls until all tasks have ended or the timeout has expired. */
  async watch(ids: readonly string[], timeoutMs: number): Promise<Findings> {
    const until = Date.now() + timeoutMs;
    for (;;) {
      await this.poll(ids);
      if (ids.every((id) => this.hasEnded(id)) || Date.now() > until) {
        await this.poll(ids); // A final poll checks that final states do not change.
        return this.findings(ids);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  hasEnded(id: string): boolean {
    return FINAL.has(this.#last.get(id)?.status ?? '');
  }

  findings(ids: readonly string[]): Findings {
    const open = ids.filter((id) => !this.hasEnded(id));
    return { lost: this.#lost, broken: this.#broken, open, ended: this.#last };
  }

  #compare(now: Video): void {
    const before = this.#last.get(now.id);
    const report = (violation: string): void => void this.#broken.push(`${now.id}: ${violation}`);
    if (!['queued', 'in_progress', 'completed', 'failed'].includes(now.status)) report(`status ${now.status}`);
    if (now.progress === 100 && now.status !== 'completed') report('progress 100 before completion');
    if (before) {
      if (now.progress < before.progress) report(`progress fell from ${before.progress} to ${now.progress}`);
      if (FINAL.has(before.status) && now.status !== before.status) report(`${before.status} became ${now.status}`);
      if (before.status === 'in_progress' && now.status === 'queued') report('returned to queued');
    }
    this.#last.set(now.id, now);
  }
}
