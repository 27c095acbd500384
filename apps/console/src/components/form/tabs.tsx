import { type KeyboardEvent, type ReactElement, useRef } from 'react';

export interface TabsProps {
  label: string;
  tabs: readonly { name: string; title: string }[];
  selected: string;
  onSelect: (name: string) => void;
}

/** A row of choices of which one is selected. Arrow keys move between them. */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps): ReactElement {
  const ref = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const at = tabs.findIndex(({ name }) => name === selected);
    const next = (at + step + tabs.length) % tabs.length;
    onSelect(tabs[next]?.name ?? selected);
    ref.current?.querySelectorAll<HTMLElement>('[role=radio]')[next]?.focus();
    event.preventDefault();
  };
  return (
    <div
      ref={ref}
      role="radiogroup"
      aria-label={label}
      onKeyDown={move}
      className="inline-flex max-w-full self-start overflow-x-auto rounded-md border border-line bg-raised p-0.5"
    >
      {tabs.map(({ name, title }) => (
        <button
          key={name}
          type="button"
          role="radio"
          aria-checked={name === selected}
          tabIndex={name === selected ? 0 : -1}
          onClick={() => onSelect(name)}
          className="h-7 rounded px-2 whitespace-nowrap sm:px-3 text-muted hover:text-text aria-checked:bg-surface aria-checked:font-medium aria-checked:text-text aria-checked:shadow-sm"
        >
          {title}
        </button>
      ))}
    </div>
  );
}
