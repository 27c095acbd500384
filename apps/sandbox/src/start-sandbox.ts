import { buildSandbox, type SandboxOptions } from './build-sandbox.ts';

export interface SandboxSettings extends SandboxOptions {
  host?: string;
  /** The port to listen on. Default 0, which selects any free port. */
  port?: number;
  /** Whether to use any free port if `port` is taken. */
  anyPort?: boolean;
}

export interface RunningSandbox {
  /** The origin, such as `http://127.0.0.1:8079`. */
  url: string;
  close(): Promise<void>;
}

/** @throws the system error (`EADDRINUSE` for a taken port) after closing everything. */
export async function startSandbox(settings: SandboxSettings = {}): Promise<RunningSandbox> {
  const { host = '127.0.0.1', port = 0, anyPort = false, ...options } = settings;
  const { app } = await buildSandbox(options);
  try {
    const url = await app.listen({ host, port }).catch((error: unknown) => {
      if (anyPort && error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
        return app.listen({ host, port: 0 });
      }
      throw error;
    });
    return { url, close: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
}
