import { buildSandbox, type SandboxOptions } from './build-sandbox.ts';

/** Where a sandbox listens, and how it is built. */
export interface SandboxSettings extends SandboxOptions {
  /** Default `127.0.0.1`. */
  host?: string;
  /** 0, the default: any free port. */
  port?: number;
}

/** A sandbox that listens. */
export interface RunningSandbox {
  /** Its origin, such as `http://127.0.0.1:8079`; the videos wire is under `/v1`. */
  url: string;
  /** Stops listening and drops open connections. */
  close(): Promise<void>;
}

/**
 * Builds a sandbox and listens.
 * @throws the system's error (`EADDRINUSE` for a taken port), with nothing left open.
 */
export async function startSandbox(settings: SandboxSettings = {}): Promise<RunningSandbox> {
  const { host = '127.0.0.1', port = 0, ...options } = settings;
  const { app } = await buildSandbox(options);
  try {
    const url = await app.listen({ host, port });
    return { url, close: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
}
