import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { GridPos } from '@grafana/schema';
import { ROOT } from '../processes.ts';

const DASHBOARDS = path.join(ROOT, 'deploy/grafana/dashboards');

export interface Dashboard {
  uid: string;
  title: string;
  panels: Panel[];
}

export interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: GridPos;
  targets: { expr: string; refId: string }[];
}

export async function readDashboards(): Promise<Dashboard[]> {
  const files = await readdir(DASHBOARDS);
  return Promise.all(
    files.map(async (file) => JSON.parse(await readFile(path.join(DASHBOARDS, file), 'utf8')) as Dashboard),
  );
}

/** Returns a query as Prometheus receives it. @param rateInterval replaces Grafana's variable */
export function plainQuery(expression: string, rateInterval: string): string {
  return expression.replaceAll('$__rate_interval', rateInterval);
}
