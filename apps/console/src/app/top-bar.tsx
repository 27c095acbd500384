import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { CircleHelp, CircleUserRound, LogOut, Monitor, MonitorSmartphone, Moon, Search, Sun } from 'lucide-react';
import { type FormEvent, type ReactElement, useState } from 'react';
import { showSession, signOut } from '../api/session.ts';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../components/menu.tsx';
import { useToast } from '../components/toasts.tsx';
import { currentTheme, setTheme, type Theme, THEMES } from './theme.ts';
import { useSession } from './use-session.ts';

/** Search by id, help, theme, and the session's menu. */
export function TopBar({ onHelp }: { onHelp: () => void }): ReactElement {
  return (
    <header className="sticky top-0 z-10 flex h-14 items-center gap-2 border-b border-line bg-surface px-4 lg:px-8">
      <SearchForm />
      <div className="ml-auto flex items-center gap-1">
        <button
          type="button"
          className="button border-transparent px-2"
          aria-label="Keyboard shortcuts"
          aria-keyshortcuts="?"
          onClick={onHelp}
        >
          <CircleHelp aria-hidden className="size-4.5" />
        </button>
        <ThemeMenu />
        <SessionMenu />
      </div>
    </header>
  );
}

function SearchForm(): ReactElement {
  const router = useRouter();
  const search = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const input = event.currentTarget.elements.namedItem('id');
    if (!(input instanceof HTMLInputElement) || input.value.trim() === '') return;
    const id = input.value.trim();
    if (/^(?:video|image)_/.test(id)) void router.navigate({ to: '/tasks/$id', params: { id } });
    else if (/^batch_(?!req_)/.test(id)) void router.navigate({ to: '/batches/$id', params: { id } });
    else if (id.startsWith('group_')) void router.navigate({ to: '/groups/$id', params: { id } });
    else void router.navigate({ to: '/requests/$id', params: { id } });
    input.value = '';
    input.blur();
  };
  return (
    <form role="search" onSubmit={search} className="relative min-w-0 flex-1 sm:max-w-sm">
      <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-muted" />
      <input
        data-search
        name="id"
        className="field w-full bg-raised pl-8.5"
        placeholder="Search by id"
        aria-label="Search by id"
        aria-keyshortcuts="/"
        autoComplete="off"
        spellCheck={false}
      />
    </form>
  );
}

const ICONS = { system: Monitor, light: Sun, dark: Moon } as const;

function ThemeMenu(): ReactElement {
  const [theme, show] = useState(currentTheme);
  const Icon = ICONS[theme];
  const select = (next: Theme): void => {
    setTheme(next);
    show(next);
  };
  return (
    <Menu label="Theme" trigger={<Icon aria-hidden className="size-4.5" />}>
      {THEMES.map((name) => (
        <MenuItem key={name} icon={ICONS[name]} isChecked={name === theme} onSelect={() => select(name)}>
          {name.charAt(0).toUpperCase() + name.slice(1)}
        </MenuItem>
      ))}
    </Menu>
  );
}

function SessionMenu(): ReactElement {
  const { name, role } = useSession();
  const router = useRouter();
  const client = useQueryClient();
  const toast = useToast();
  const leave = async (): Promise<void> => {
    try {
      await signOut();
      showSession(client, null);
    } catch (error) {
      toast({ kind: 'error', title: 'Could not sign out', error });
    }
  };
  return (
    <Menu label={`Signed in as ${name}`} trigger={<UserMark name={name} />}>
      <MenuLabel>{role === 'holder' ? `API key ${name}` : `Role ${role}`}</MenuLabel>
      <MenuSeparator />
      <MenuItem icon={MonitorSmartphone} onSelect={() => void router.navigate({ to: '/sessions' })}>
        Sessions
      </MenuItem>
      <MenuItem icon={LogOut} onSelect={() => void leave()}>
        Sign out
      </MenuItem>
    </Menu>
  );
}

function UserMark({ name }: { name: string }): ReactElement {
  return (
    <>
      <CircleUserRound aria-hidden className="size-4.5" />
      <span className="max-w-28 truncate max-sm:hidden">{name}</span>
    </>
  );
}
