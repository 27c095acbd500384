import {
  Activity,
  Boxes,
  ChartColumn,
  FileCog,
  Files,
  Film,
  Images,
  KeyRound,
  Layers,
  LayoutDashboard,
  LayoutGrid,
  type LucideIcon,
  Rocket,
  ScrollText,
  Server,
  SquareTerminal,
  Webhook,
} from 'lucide-react';
import type { Role } from '../api/session.ts';

export interface Screen {
  title: string;
  path: string;
  icon: LucideIcon;
  /** The second key of its shortcut, after `g`. */
  key: string;
  roles: readonly Role[];
}

const EVERYONE: readonly Role[] = ['admin', 'operator', 'viewer', 'holder'];

/** Roles that see the whole gateway. */
const OPERATORS: readonly Role[] = ['admin', 'operator', 'viewer'];

/** Roles that can call models. */
const CALLERS: readonly Role[] = ['admin', 'holder'];

/** The screens of the sidebar, in its order. Each also has a route in `router.tsx`. */
const SCREENS: readonly Screen[] = [
  { title: 'Overview', path: '/', icon: LayoutDashboard, key: 'o', roles: EVERYONE },
  { title: 'Requests', path: '/requests', icon: Activity, key: 'r', roles: EVERYONE },
  { title: 'Tasks', path: '/tasks', icon: Film, key: 't', roles: EVERYONE },
  { title: 'Groups', path: '/groups', icon: LayoutGrid, key: 'v', roles: EVERYONE },
  { title: 'Batches', path: '/batches', icon: Layers, key: 'b', roles: EVERYONE },
  { title: 'Gallery', path: '/gallery', icon: Images, key: 'm', roles: EVERYONE },
  { title: 'Files', path: '/files', icon: Files, key: 'f', roles: EVERYONE },
  { title: 'Usage', path: '/usage', icon: ChartColumn, key: 'u', roles: EVERYONE },
  { title: 'Keys', path: '/keys', icon: KeyRound, key: 'k', roles: EVERYONE },
  { title: 'Webhooks', path: '/webhooks', icon: Webhook, key: 'w', roles: EVERYONE },
  { title: 'Upstreams', path: '/upstreams', icon: Server, key: 'e', roles: OPERATORS },
  { title: 'Models', path: '/models', icon: Boxes, key: 'd', roles: OPERATORS },
  { title: 'Configuration', path: '/configuration', icon: FileCog, key: 'c', roles: OPERATORS },
  { title: 'Audit log', path: '/audit', icon: ScrollText, key: 'a', roles: OPERATORS },
  { title: 'Playground', path: '/playground', icon: SquareTerminal, key: 'p', roles: CALLERS },
  { title: 'Setup', path: '/setup', icon: Rocket, key: 's', roles: EVERYONE },
];

export function screensOf(role: Role): readonly Screen[] {
  return SCREENS.filter(({ roles }) => roles.includes(role));
}
