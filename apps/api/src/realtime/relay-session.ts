import type { RealtimeClose, RealtimeFrame, RealtimeSocket } from '@sluice/canonical';
import { encodeErrorEvent, encodeRefusal, RefusedEvent, type SessionErrorCode } from '@sluice/protocols';
import { PeerWatch } from './watch-peer.ts';
import { SessionDirection } from './session-direction.ts';

/** How long a session may take, in milliseconds. */
export interface SessionLimits {
  /** Without a frame either way. */
  idleMs: number;
  /** All in all. */
  sessionMs: number;
  /** Between two looks whether somebody is there. */
  pingMs: number;
  /** For both ends to close, once one of them has; an end that still takes what waits for it has longer. */
  closeMs: number;
  /** For such an end, at most. */
  drainMs: number;
}

/** What a session is made of. */
export interface SessionParts {
  client: RealtimeSocket;
  upstream: RealtimeSocket;
  /**
   * Makes a client's message fit for the upstream; one that it throws upon is not passed on. A `RefusedEvent` is told to
   * the client, anything else ends the session.
   */
  editClient: (frame: RealtimeFrame) => Uint8Array;
  /** Makes an upstream's message fit for the client. */
  editUpstream: (frame: RealtimeFrame) => Uint8Array;
  /** Takes out of an upstream's reason what tells whose account it was. */
  scrub: (text: string) => string;
  limits: SessionLimits;
  newEventId: () => string;
}

/** How a session ended. */
export interface SessionEnd {
  closed_by: 'client' | 'upstream' | 'gateway';
  /** What the side that began it has said, or what we have. */
  close_code: number;
  client_frames: number;
  upstream_frames: number;
}

/** Two sockets that are joined. */
export interface RelayedSession {
  /** Ends it because the process stops. */
  stop(): void;
  /** When both ends are closed. */
  ended: Promise<SessionEnd>;
}

/** Time without any progress after which an end counts as gone, in pings. */
const STUCK_PINGS = 3;
/** The same of an end that closes, in times to close: what leaves for a slow reader does so in jumps. */
const STUCK_CLOSES = 3;

/** What may wait for a client that is told of refused events: more than an upstream that is held back leaves there. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

const NORMAL = 1000;
const GOING_AWAY = 1001;
const BROKEN = 1006;
const POLICY = 1008;
const INTERNAL = 1011;

const EVENTS: Readonly<Record<SessionErrorCode, string>> = {
  session_idle: 'The session ended because nothing was said for too long.',
  session_expired: 'The session has lasted as long as a session may.',
  invalid_event: 'An event is no JSON, is nested too deeply, or is one of too many that were refused.',
  server_stopping: 'The server is going away. Connect again.',
  provider_error: 'The upstream broke off the session.',
};

/** A thrown error would end the process: it is no answer to anybody. */
function attempt(edit: () => Uint8Array): Uint8Array | RefusedEvent | undefined {
  try {
    return edit();
  } catch (error) {
    return error instanceof RefusedEvent ? error : undefined;
  }
}

/** Joins a client to an upstream until either leaves. */
export function relaySession(parts: SessionParts): RelayedSession {
  return new Session(parts);
}

/**
 * A session is **open**: what comes from one end goes to the other. It is **closing** from the moment at which an end closes
 * or breaks, a limit passes, or the process stops: nothing passes any more, both ends have been told to close, behind what
 * was sent to them before. An end that does not close in time is cut; one for which something waits has more of it while it
 * goes on taking, unless the process stops. When both are closed it is **over**.
 *
 * An end that closes has its code and reason carried over. One that broke (1006) is told as 1011, and to the client as an
 * event before. A client that breaks the rules of web sockets is no business of the upstream's, which is told a normal close.
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
  /** The ends for which something waited when they were looked at last, once the session is closing. */
  readonly #draining = new Set<RealtimeSocket>();
  #end: Pick<SessionEnd, 'closed_by' | 'close_code'> | undefined;
  #openEnds = 2;
  readonly #settle: (end: SessionEnd) => void;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    const { client, upstream, limits } = parts;
    const { promise, resolve } = Promise.withResolvers<SessionEnd>();
    this.ended = promise;
    this.#settle = resolve;
    this.#clientWatch = new PeerWatch(client);
    this.#upstreamWatch = new PeerWatch(upstream);
    this.#fromClient = new SessionDirection(client, upstream, () => this.#upstreamWatch.recorded());
    this.#fromUpstream = new SessionDirection(upstream, client, () => this.#clientWatch.recorded());
    this.#idle = setTimeout(() => this.#giveUp('session_idle', NORMAL), limits.idleMs);
    this.#timers = [
      this.#idle,
      setTimeout(() => this.#giveUp('session_expired', GOING_AWAY), limits.sessionMs),
      setInterval(() => this.#lookAround(), limits.pingMs),
    ];
    for (const socket of [client, upstream]) socket.cutWhenStuck(limits.pingMs * STUCK_PINGS);
    client.listen({
      frame: (frame) => this.#pass(frame, this.#fromClient, this.#clientWatch, parts.editClient),
      alive: () => this.#clientWatch.recorded(),
      closed: (close) => this.#clientClosed(close),
    });
    upstream.listen({
      frame: (frame) => this.#pass(frame, this.#fromUpstream, this.#upstreamWatch, parts.editUpstream),
      alive: () => this.#upstreamWatch.recorded(),
      closed: (close) => this.#upstreamClosed(close),
    });
  }

  stop(): void {
    this.#giveUp('server_stopping', GOING_AWAY);
    if (this.#openEnds > 0) this.#timers.push(setTimeout(() => this.#cut(), this.#parts.limits.closeMs));
  }

  #pass(
    frame: RealtimeFrame,
    direction: SessionDirection,
    from: PeerWatch,
    edit: (frame: RealtimeFrame) => Uint8Array,
  ): void {
    if (this.#end) return;
    from.recorded();
    this.#idle.refresh();
    const data = attempt(() => edit(frame));
    if (data instanceof RefusedEvent) return this.#refuse(data);
    if (data !== undefined) return direction.pass({ data, isText: frame.isText });
    if (direction === this.#fromClient) this.#giveUp('invalid_event', POLICY);
    else this.#giveUp('provider_error', INTERNAL);
  }

  /** A client that has events refused and reads nothing may not fill our memory. */
  #refuse(refused: RefusedEvent): void {
    const { client, newEventId } = this.#parts;
    if (client.waitingBytes > MAX_WAITING_BYTES) return this.#giveUp('invalid_event', POLICY);
    client.send({ data: Buffer.from(encodeRefusal(refused, newEventId())), isText: true });
  }

  #lookAround(): void {
    this.#clientWatch.ask(!this.#fromClient.isHeld);
    this.#upstreamWatch.ask(!this.#fromUpstream.isHeld);
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
      this.#tell('provider_error');
      this.#parts.client.close(INTERNAL);
    });
    this.#ended();
  }

  /** Ends the session for a reason of ours. */
  #giveUp(why: SessionErrorCode, code: number): void {
    this.#begin({ closed_by: 'gateway', close_code: code }, () => {
      this.#tell(why);
      this.#parts.client.close(code, why);
      this.#parts.upstream.close(NORMAL);
    });
  }

  #tell(code: SessionErrorCode): void {
    const event = encodeErrorEvent(code, EVENTS[code], this.#parts.newEventId());
    this.#parts.client.send({ data: Buffer.from(event), isText: true });
  }

  /** From open to closing. */
  #begin(end: Pick<SessionEnd, 'closed_by' | 'close_code'>, close: () => void): void {
    if (this.#end) return;
    this.#end = end;
    for (const timer of this.#timers) clearTimeout(timer);
    close();
    const { client, upstream, limits } = this.#parts;
    // Their answers to the close have to be read, and what comes before is dropped.
    client.resume();
    upstream.resume();
    for (const socket of [client, upstream]) socket.cutWhenStuck(limits.closeMs * STUCK_CLOSES);
    this.#timers.push(
      setInterval(() => this.#cutDrained(), limits.closeMs),
      setTimeout(() => this.#cut(), limits.drainMs),
    );
  }

  /** Cuts the ends for which nothing has waited for some time, and which still have not closed. */
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

  /** One end is closed; from closing to over with the second. */
  #ended(): void {
    this.#openEnds -= 1;
    if (this.#openEnds > 0 || !this.#end) return;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#settle({
      ...this.#end,
      client_frames: this.#fromClient.frames,
      upstream_frames: this.#fromUpstream.frames,
    });
  }
}
