import { type Client, LostTaskError, type Video } from './client.ts';

const FINAL = new Set(['completed', 'failed']);

/** Violations that a client can observe. */
export interface Findings {
  lost: string[];
  /** Left a final state, or fell in progress, or showed a word that is not one of the four. */
  broken: string[];
  open: string[];
  ended: Map<string, Video>;
}

/**
 * Watches tasks from the outside, over and over, and checks what no client may ever see: a lost task, a final state
 * that changes, progress that falls.
 */
export class HistoryChecker {
  readonly #client: Client;
  readonly #last = new Map<string, Video>();
  readonly #broken: string[] = [];
  readonly #lost: string[] = [];

  constructor(client: Client) {
    this.#client = client;
  }

  /** Looks at all tasks once. */
  async look(ids: readonly string[]): Promise<void> {
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

  /** Looks until all have ended, or the time is up. */
  async watch(ids: readonly string[], timeoutMs: number): Promise<Findings> {
    const until = Date.now() + timeoutMs;
    for (;;) {
      await this.look(ids);
      if (ids.every((id) => this.hasEnded(id)) || Date.now() > until) {
        await this.look(ids); // once more: final states stay
        return this.findings(ids);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Whether the task has been seen in a final state. */
  hasEnded(id: string): boolean {
    return FINAL.has(this.#last.get(id)?.status ?? '');
  }

  findings(ids: readonly string[]): Findings {
    const open = ids.filter((id) => !this.hasEnded(id));
    return { lost: this.#lost, broken: this.#broken, open, ended: this.#last };
  }

  #compare(now: Video): void {
    const before = this.#last.get(now.id);
    const complain = (what: string): void => void this.#broken.push(`${now.id}: ${what}`);
    if (!['queued', 'in_progress', 'completed', 'failed'].includes(now.status)) complain(`status ${now.status}`);
    if (now.progress === 100 && now.status !== 'completed') complain('100 before it was completed');
    if (before) {
      if (now.progress < before.progress) complain(`progress fell from ${before.progress} to ${now.progress}`);
      if (FINAL.has(before.status) && now.status !== before.status) complain(`${before.status} became ${now.status}`);
      if (before.status === 'in_progress' && now.status === 'queued') complain('went back to queued');
    }
    this.#last.set(now.id, now);
  }
}
