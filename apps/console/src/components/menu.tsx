import * as DropdownMenu from '@radix-ui/react-dropdown-menu';
import { Check, type LucideIcon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';

/** A menu that opens below a button. `modal` is off because Radix would add an inline style, which the CSP forbids. */
export function Menu({
  label,
  trigger,
  children,
}: {
  label: string;
  trigger: ReactNode;
  children: ReactNode;
}): ReactElement {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button border-transparent px-2" aria-label={label}>
        {trigger}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="end" sideOffset={6} className="panel z-30 min-w-44 p-1 shadow-lg">
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export interface MenuItemProps {
  icon: LucideIcon;
  isChecked?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({ icon: Icon, isChecked = false, onSelect, children }: MenuItemProps): ReactElement {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      className="flex cursor-pointer items-center gap-2.5 rounded px-2.5 py-1.5 outline-none data-highlighted:bg-raised"
    >
      <Icon aria-hidden className="size-4 text-muted" />
      <span className="flex-1">{children}</span>
      {isChecked && <Check aria-label="selected" className="size-4 text-accent" />}
    </DropdownMenu.Item>
  );
}

export function MenuLabel({ children }: { children: ReactNode }): ReactElement {
  return <DropdownMenu.Label className="px-2.5 py-1.5 text-xs text-muted">{children}</DropdownMenu.Label>;
}

export function MenuSeparator(): ReactElement {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
}
