import { pathToFileURL } from 'node:url';
import path from 'node:path';
import type { Program } from '../processes.ts';
import type { StopPoint, StopReport } from './stop-at-points.ts';

/** Returns the environment for a process that preloads a module in this folder. */
export function preloaded(file: string, settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { NODE_OPTIONS: `--import=${pathToFileURL(path.join(import.meta.dirname, file)).href}`, ...settings };
}

/** Returns the environment for a process that stops tasks; see stop-at-points.ts. */
export function stoppingAt(stops: Record<string, StopPoint>): NodeJS.ProcessEnv {
  return preloaded('stop-at-points.ts', { SLUICE_E2E_STOPS: JSON.stringify(stops) });
}

/** Adds the tasks that a process stops to `stopped`, each with its stop point. */
export function collectStops(program: Program, stopped: Map<string, string>): void {
  program.onMessage((message) => {
    // The cast is safe because the message is a report of the preloaded module or "ready".
    const report = message as Partial<StopReport>;
    if (report.type === 'stopped' && report.task !== undefined && report.point) stopped.set(report.task, report.point);
  });
}
