import { expect, it } from 'vitest';
import { isCallbackName } from './callback-name.ts';

it.each(['callback_url', 'CallBackUrl', 'webhook', 'web_hook_events', 'notify_url', 'pubsubNotification'])(
  '%s names a callback',
  (name) => expect(isCallbackName(name)).toBe(true),
);

it.each(['prompt', 'camera_control', 'hook', 'seed'])('%s does not name a callback', (name) =>
  expect(isCallbackName(name)).toBe(false),
);
