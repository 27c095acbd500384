import { pathToFileURL } from 'node:url';
import path from 'node:path';
import type { Program } from '../processes.ts';
import type { StopPoint, StopReport } from './stop-at-points.ts';

/** The environment of a process that loads a module of this folder first. */
export function preloaded(file: string, settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { NODE_OPTIONS: `--import=${pathToFileURL(path.join(import.meta.dirname, file)).href}`, ...settings };
}

/** The environment of a process in which tasks stop at points of their lives; see stop-at-points.ts. */
export function stoppingAt(stops: Record<string, StopPoint>): NodeJS.ProcessEnv {
  return preloaded('stop-at-points.ts', { SLUICE_E2E_STOPS: JSON.stringify(stops) });
}

/** Adds to `stopped` each task that a process has stopped, with its point. */
export function collectStops(program: Program, stopped: Map<string, string>): void {
  program.process.on('message', (message) => {
    const said = message as Partial<StopReport>; // our own preload's one message, or "ready"
    if (said.type === 'stopped' && said.task !== undefined && said.point) stopped.set(said.task, said.point);
  });
}
