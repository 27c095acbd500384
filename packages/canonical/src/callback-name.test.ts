import { expect, it } from 'vitest';
import { isCallbackName } from './callback-name.ts';

it.each(['callback_url', 'CallBackUrl', 'webhook', 'web_hook_events', 'notify_url', 'pubsubNotification'])(
  '%s would make a vendor call a server',
  (name) => expect(isCallbackName(name)).toBe(true),
);

it.each(['prompt', 'camera_control', 'hook', 'seed'])('%s would not', (name) =>
  expect(isCallbackName(name)).toBe(false),
);
