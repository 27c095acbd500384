import { exportedTraceId } from '@sluice/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { NameEndUser } from './end-user.ts';
import type { Labels } from './labels.ts';
import type { LedgerRoute } from './ledger-route.ts';
import { addOutcomes } from './add-outcomes.ts';
import { entryNames, requestEntry, type RequestOutcome } from './request-entry.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Unset if the request has no entry in the ledger. */
    ledger: RequestLedger | undefined;
  }
}

/** Shared by the entries of all requests. */
export interface EntryContext {
  newEntryId: () => string;
  nameEndUser: NameEndUser;
  now: () => number;
  /** Sends an entry that belongs to no charge. */
  append: (entry: string) => void;
}

export interface LedgerRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  key: string;
  route: LedgerRoute;
}

/** The ledger entry of a request. It is written once, when the request and its charge have ended. */
export class RequestLedger {
  /** The task that the request created. Its cost is in the task's own entry. */
  taskId: string | undefined;
  labels: Labels | undefined;
  /** Fields of a media request that the upstream does not receive as sent. */
  dropped: readonly string[] | undefined;
  readonly #context: EntryContext;
  readonly #of: LedgerRequest;
  #user: string | undefined;
  #added: RequestOutcome | undefined;
  #isWritten = false;

  constructor(context: EntryContext, of: LedgerRequest) {
    this.#context = context;
    this.#of = of;
  }

  /** Sets the end user that the client names. Any other value than a text is ignored. */
  setUser(user: unknown): void {
    if (typeof user === 'string' && user !== '') this.#user = this.#context.nameEndUser(user);
  }

  /** Adds usage and its cost, which was charged before the end, e.g. of one response in a session. */
  add(outcome: RequestOutcome): void {
    this.#added = this.#added ? addOutcomes(this.#added, outcome) : outcome;
  }

  /** Returns members for the entry of a task that the request creates, as a JSON object. */
  sharedFields(): string {
    const { request, route } = this.#of;
    const { endpoint, protocol } = route;
    const dropped = entryNames(this.dropped);
    const traceId = exportedTraceId(request.trace);
    const shared = { requestId: request.id, user: this.#user, labels: this.labels, endpoint, protocol };
    return JSON.stringify({ ...shared, dropped, traceId });
  }

  /** @returns the entry as JSON for the caller to send, or undefined if it was already written */
  entry(outcome: RequestOutcome = this.#added ?? {}): string | undefined {
    if (this.#isWritten) return undefined;
    this.#isWritten = true;
    return this.draft(outcome);
  }

  /** Returns the entry as JSON, for a job that completes and writes it. */
  draft(outcome: RequestOutcome = {}): string {
    const { request, reply, key, route } = this.#of;
    const { taskId, labels } = this;
    const dropped = entryNames(this.dropped ?? request.served?.dropped);
    const id = this.#context.newEntryId();
    const at = this.#context.now();
    const named = { key, user: this.#user, labels, taskId, dropped };
    return requestEntry({ id, at, request, reply, route: route.json, ...named, outcome });
  }

  /** Writes the entry of a request without a charge. */
  write(outcome?: RequestOutcome): void {
    const entry = this.entry(outcome);
    if (entry !== undefined) this.#context.append(entry);
  }
}
