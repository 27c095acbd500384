import { rename } from 'node:fs/promises';
import { textModels } from '../../contenders/text-models.ts';
import type { Row } from '../../measure/report.ts';
import type { Stage } from '../../measure/stage.ts';
import type { Subject } from '../../measure/start-subject.ts';
import { compareChats, CONCURRENCY, costRow } from './compare-chats.ts';

/** The measurement is not more precise than this share. */
const NOISE = 0.02;
const MAX_MORE_MB = 5;
const SITE = new URL('../../../../apps/console/dist/site', import.meta.url);
const ASIDE = new URL(`${SITE.href}-aside`);

/** Compares a chat request and the memory of the API without and with the files of the console, which no client opens. */
export async function measureConsoleCost(stage: Stage): Promise<Row[]> {
  const vendor = await stage.start('text-vendor');
  await stage.configureText(textModels(vendor.url));
  // The API looks for the files with the first request of the console, so each of them makes one.
  const without = await startWithoutSite(stage);
  const apis = { without, with: await stage.start('api').then(opened) };
  const costs = await compareChats(stage, apis);
  const memory = { without: (await apis.without.usage()).rssBytes, with: (await apis.with.usage()).rssBytes };
  await Promise.all([apis.without, apis.with, vendor].map((subject) => subject.stop()));
  const more = (memory.with - memory.without) / 1e6;
  return [
    {
      figure: `CPU per relayed chat request, without → with the console's files, ${CONCURRENCY} at once`,
      ...costRow(costs, NOISE),
    },
    {
      figure: '– resident memory after the same load',
      sluice: `${(memory.without / 1e6).toFixed(0)} → ${(memory.with / 1e6).toFixed(0)} MB`,
      reached: `${more < 0 ? '' : '+'}${more.toFixed(1)} MB`,
      goal: `≤ +${MAX_MORE_MB} MB`,
      ok: more <= MAX_MORE_MB,
      raw: { memory },
    },
  ];
}

async function startWithoutSite(stage: Stage): Promise<Subject> {
  await rename(SITE, ASIDE);
  try {
    return await opened(await stage.start('api'));
  } finally {
    await rename(ASIDE, SITE);
  }
}

async function opened(api: Subject): Promise<Subject> {
  await (await fetch(`${api.url}/console/`)).arrayBuffer();
  return api;
}
