import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { RoutedModel } from '../../api/models.ts';
import { MODES } from '../playground/playground-search.ts';

const LINK = 'text-accent hover:underline';

/** Links to the requests, the usage, and the playground of a model. Requests never have the name of a pattern. */
export function ModelLinks({ model, canCall }: { model: RoutedModel; canCall: boolean }): ReactElement | null {
  const { id, operations } = model;
  if (id.includes('*')) return null;
  const mode = MODES.find(({ capability }) => operations.includes(capability));
  const what = <span className="sr-only"> of {id}</span>;
  return (
    <>
      <Link to="/requests" search={{ model: id }} className={LINK}>
        Requests{what}
      </Link>
      <Link to="/usage" search={{ model: id }} className={LINK}>
        Usage{what}
      </Link>
      {canCall && mode && (
        <Link to="/playground" search={{ mode: mode.name, model: id }} className={LINK}>
          Playground<span className="sr-only"> with {id}</span>
        </Link>
      )}
    </>
  );
}
