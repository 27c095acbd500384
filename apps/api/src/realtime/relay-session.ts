import { type RealtimeClose, type RealtimeFrame, type RealtimeSocket, GATEWAY_MESSAGES } from '@sluice/canonical';
import { encodeErrorEvent, encodeRefusal, RefusedEvent, type SessionErrorCode } from '@sluice/protocols';
import { PeerWatch } from './watch-peer.ts';
import { SessionDirection } from './session-direction.ts';

/** All times are in milliseconds. */
export interface SessionLimits {
  /** Maximum time without a frame in either direction. */
  idleMs: number;
  sessionMs: number;
  pingMs: number;
  /**
   * How long both connections may take to close after the first one has closed. A connection with pending data may take
   * longer.
   */
  closeMs: number;
  drainMs: number;
}

export interface SessionParts {
  client: RealtimeSocket;
  upstream: RealtimeSocket;
  /** If it throws, the message is dropped. A `RefusedEvent` is reported to the client; others end the session. */
  editClient: (frame: RealtimeFrame) => Uint8Array;
  editUpstream: (frame: RealtimeFrame) => Uint8Array;
  /** Removes the account's details from an upstream's close reason. */
  scrub: (text: string) => string;
  limits: SessionLimits;
  newEventId: () => string;
}

export interface SessionEnd {
  closed_by: 'client' | 'upstream' | 'gateway';
  /** The code sent by the side that closed first, or the gateway's own code. */
  close_code: number;
  client_frames: number;
  upstream_frames: number;
}

export interface RelayedSession {
  stop(): void;
  /** Resolves when both connections are closed. */
  ended: Promise<SessionEnd>;
}

/** A connection is cut after this many ping intervals without progress. */
const STUCK_PINGS = 3;
/**
 * A closing side is cut after this many periods of `closeMs` without progress. One period is too short, because data
 * reaches a slow reader in bursts.
 */
const STUCK_CLOSES = 3;

/** Limit on pending data for a client whose events are rejected. For other clients, back-pressure keeps it lower. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

const NORMAL = 1000;
const GOING_AWAY = 1001;
const BROKEN = 1006;
const POLICY = 1008;
const INTERNAL = 1011;

const EVENTS: Readonly<Record<SessionErrorCode, string>> = {
  session_idle: 'The session was idle for too long. Connect again.',
  session_expired: 'The session reached its maximum duration. Connect again.',
  invalid_event:
    'An event is not valid JSON or is nested too deeply, or too many events were rejected. Correct the events and connect again.',
  server_stopping: GATEWAY_MESSAGES.serverStopping,
  provider_error: 'The upstream closed the session unexpectedly. Connect again.',
};

/** Runs an edit of a message. An uncaught error would end the process. */
function attempt(edit: () => Uint8Array): Uint8Array | RefusedEvent | undefined {
  try {
    return edit();
  } catch (error) {
    return error instanceof RefusedEvent ? error : undefined;
  }
}

export function relaySession(parts: SessionParts): RelayedSession {
  return new Session(parts);
}

/**
 * A session is **open** while it relays frames between the client and the upstream. It is **closing** after one side
 * closes or breaks, a limit is reached, or the process stops: it relays no more frames and sends a close to both sides
 * after their pending data. A side that does not close in time is cut. A side with pending data gets more time while it
 * makes progress, unless the process stops. When both sides are closed, the session is **ended**.
 *
 * The code and reason of a close are forwarded. A broken upstream connection (1006) is reported to the client with an
 * error event and code 1011. If the client violates the WebSocket protocol, the upstream receives a normal close.
 */
class Session implements RelayedSession {
  readonly ended: Promise<SessionEnd>;
  readonly #parts: SessionParts;
  readonly #fromClient: SessionDirection;
  readonly #fromUpstream: SessionDirection;
  readonly #clientWatch: PeerWatch;
  readonly #upstreamWatch: PeerWatch;
  readonly #idle: NodeJS.Timeout;
  readonly #timers: NodeJS.Timeout[];
  /** Sides that had pending data at the last check while closing. */
  readonly #draining = new Set<RealtimeSocket>();
  #end: Pick<SessionEnd, 'closed_by' | 'close_code'> | undefined;
  #openEnds = 2;
  readonly #resolveEnded: (end: SessionEnd) => void;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    const { client, upstream, limits } = parts;
    const { promise, resolve } = Promise.withResolvers<SessionEnd>();
    this.ended = promise;
    this.#resolveEnded = resolve;
    this.#clientWatch = new PeerWatch(client);
    this.#upstreamWatch = new PeerWatch(upstream);
    this.#fromClient = new SessionDirection(client, upstream, () => this.#upstreamWatch.active());
    this.#fromUpstream = new SessionDirection(upstream, client, () => this.#clientWatch.active());
    this.#idle = setTimeout(() => this.#endSession('session_idle', NORMAL), limits.idleMs);
    this.#timers = [
      this.#idle,
      setTimeout(() => this.#endSession('session_expired', GOING_AWAY), limits.sessionMs),
      setInterval(() => this.#pingBoth(), limits.pingMs),
    ];
    for (const socket of [client, upstream]) socket.closeWhenStalled(limits.pingMs * STUCK_PINGS);
    client.listen({
      frame: (frame) => this.#pass(frame, this.#fromClient, this.#clientWatch, parts.editClient),
      alive: () => this.#clientWatch.active(),
      closed: (close) => this.#clientClosed(close),
    });
    upstream.listen({
      frame: (frame) => this.#pass(frame, this.#fromUpstream, this.#upstreamWatch, parts.editUpstream),
      alive: () => this.#upstreamWatch.active(),
      closed: (close) => this.#upstreamClosed(close),
    });
  }

  stop(): void {
    this.#endSession('server_stopping', GOING_AWAY);
    if (this.#openEnds > 0) this.#timers.push(setTimeout(() => this.#cut(), this.#parts.limits.closeMs));
  }

  #pass(
    frame: RealtimeFrame,
    direction: SessionDirection,
    from: PeerWatch,
    edit: (frame: RealtimeFrame) => Uint8Array,
  ): void {
    if (this.#end) return;
    from.active();
    this.#idle.refresh();
    const data = attempt(() => edit(frame));
    if (data instanceof RefusedEvent) return this.#refuse(data);
    if (data !== undefined) return direction.pass({ data, isText: frame.isText });
    if (direction === this.#fromClient) this.#endSession('invalid_event', POLICY);
    else this.#endSession('provider_error', INTERNAL);
  }

  /** A client that sends rejected events but reads nothing must not fill the gateway's memory. */
  #refuse(refused: RefusedEvent): void {
    const { client, newEventId } = this.#parts;
    if (client.waitingBytes > MAX_WAITING_BYTES) return this.#endSession('invalid_event', POLICY);
    client.send({ data: Buffer.from(encodeRefusal(refused, newEventId())), isText: true });
  }

  #pingBoth(): void {
    this.#clientWatch.ping(!this.#fromClient.isPaused);
    this.#upstreamWatch.ping(!this.#fromUpstream.isPaused);
  }

  #clientClosed({ code, reason, fault }: RealtimeClose): void {
    this.#begin({ closed_by: 'client', close_code: fault ?? code }, () => {
      this.#parts.upstream.close(fault === undefined ? code : NORMAL, reason);
    });
    this.#ended();
  }

  #upstreamClosed({ code, reason, fault }: RealtimeClose): void {
    this.#begin({ closed_by: 'upstream', close_code: fault ?? code }, () => {
      if (code !== BROKEN && fault === undefined) return this.#parts.client.close(code, this.#parts.scrub(reason));
      this.#sendError('provider_error');
      this.#parts.client.close(INTERNAL);
    });
    this.#ended();
  }

  #endSession(reason: SessionErrorCode, code: number): void {
    this.#begin({ closed_by: 'gateway', close_code: code }, () => {
      this.#sendError(reason);
      this.#parts.client.close(code, reason);
      this.#parts.upstream.close(NORMAL);
    });
  }

  #sendError(code: SessionErrorCode): void {
    const event = encodeErrorEvent(code, EVENTS[code], this.#parts.newEventId());
    this.#parts.client.send({ data: Buffer.from(event), isText: true });
  }

  #begin(end: Pick<SessionEnd, 'closed_by' | 'close_code'>, close: () => void): void {
    if (this.#end) return;
    this.#end = end;
    for (const timer of this.#timers) clearTimeout(timer);
    close();
    const { client, upstream, limits } = this.#parts;
    // Reads from both sides so that their close frames arrive. Other frames are dropped.
    client.resume();
    upstream.resume();
    for (const socket of [client, upstream]) socket.closeWhenStalled(limits.closeMs * STUCK_CLOSES);
    this.#timers.push(
      setInterval(() => this.#cutDrained(), limits.closeMs),
      setTimeout(() => this.#cut(), limits.drainMs),
    );
  }

  #cutDrained(): void {
    for (const end of [this.#parts.client, this.#parts.upstream]) {
      if (end.waitingBytes > 0) this.#draining.add(end);
      else if (!this.#draining.delete(end)) end.terminate();
    }
  }

  #cut(): void {
    this.#parts.client.terminate();
    this.#parts.upstream.terminate();
  }

  #ended(): void {
    this.#openEnds -= 1;
    if (this.#openEnds > 0 || !this.#end) return;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#resolveEnded({
      ...this.#end,
      client_frames: this.#fromClient.frames,
      upstream_frames: this.#fromUpstream.frames,
    });
  }
}
