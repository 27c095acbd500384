import { pathToFileURL } from 'node:url';
import path from 'node:path';
import type { Program } from '../processes.ts';
import type { StopPoint, StopReport } from './stop-at-points.ts';

/** The environment of a process that preloads a module of this folder. */
export function preloaded(file: string, settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { NODE_OPTIONS: `--import=${pathToFileURL(path.join(import.meta.dirname, file)).href}`, ...settings };
}

/** The environment of a process that stops tasks at points; see stop-at-points.ts. */
export function stoppingAt(stops: Record<string, StopPoint>): NodeJS.ProcessEnv {
  return preloaded('stop-at-points.ts', { SLUICE_E2E_STOPS: JSON.stringify(stops) });
}

/** Adds each task that a process stops, with its point, to `stopped`. */
export function collectStops(program: Program, stopped: Map<string, string>): void {
  program.process.on('message', (message) => {
    const report = message as Partial<StopReport>; // of the preload, or "ready"
    if (report.type === 'stopped' && report.task !== undefined && report.point) stopped.set(report.task, report.point);
  });
}
