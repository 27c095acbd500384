import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { latencyQuery, usageQuery } from '../../api/usage.ts';
import { useRefresh } from '../../app/use-live.ts';
import { isOperator, useSession } from '../../app/use-session.ts';
import { ErrorNotice } from '../../components/notices.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PeriodSelect } from '../../components/period-select.tsx';
import { periodOf } from '../../lib/periods.ts';
import { useNow } from '../../lib/use-now.ts';
import { FirstRequest } from './first-request.tsx';
import { NumberTiles } from './number-tiles.tsx';
import { OperatorPanels } from './operator-panels.tsx';
import { RequestsChart } from './requests-chart.tsx';

const REFRESH_MS = 15_000;
const route = getRouteApi('/');

/** The numbers of a period. Each opens the list of what it counts. */
export function Overview(): ReactElement {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const session = useSession();
  const period = periodOf(search.period, useNow(REFRESH_MS));
  const shown = { refetchInterval: useRefresh(REFRESH_MS), placeholderData: <T,>(previous: T): T => previous };
  const usage = useQuery({ ...usageQuery(period), ...shown });
  const latency = useQuery({ ...latencyQuery(period), ...shown });
  const isEmpty = usage.data?.data.length === 0;
  return (
    <>
      <PageHead title="Overview">
        <PeriodSelect value={period.name} onChange={(name) => void navigate({ search: { period: name } })} />
      </PageHead>
      <div className="flex flex-col gap-4">
        {usage.error && <ErrorNotice error={usage.error} onRetry={() => void usage.refetch()} />}
        {!(usage.error && !usage.data) && (
          <>
            <NumberTiles usage={usage.data} latency={latency.data} period={period.name} />
            {isEmpty ? <FirstRequest /> : <RequestsChart usage={usage.data} period={period} />}
          </>
        )}
        {isOperator(session) && <OperatorPanels />}
      </div>
    </>
  );
}
