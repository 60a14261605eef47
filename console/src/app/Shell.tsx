import { useMantineColorScheme } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useLive } from '../api/live';
import { t } from '../strings';
import { Icon, type IconName } from '../ui/Icon';
import { AccountMenu } from './AccountMenu';
import { useBadge } from './badge';
import { finder } from './finder';
import { useLoaded } from './later';
import { visibleEntries } from './navigation';
import { useNotices } from './notices';
import { usePreferences } from './preferences';
import { useMay } from './session';
import { useShortcuts } from './shortcuts';

const loadAside = () => import('./Aside').then((module) => module.Aside);

/**
 * Navigation, search and help around every page. Made of plain elements, since every page waits for it: those of the
 * library took a third of the time to the first page.
 */
export function Shell() {
  const [opened, setOpened] = useState(false);
  const [help, setHelp] = useState(false);
  const may = useMay();
  const client = useQueryClient();
  const Aside = useLoaded(loadAside, 'later');
  const Notices = useNotices();
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => setOpened(false), [path]);
  useLive('console', (what) => {
    const stale = what.flatMap((each) => (each === 'permissions' ? ['permissions', 'groups', 'agents'] : [each]));
    stale.forEach((key) => void client.invalidateQueries({ queryKey: [key] }));
  });
  useGoing();
  useShortcuts({ '?': () => setHelp(true) });
  useHotkeys([['mod + K', finder.open]]);
  return (
    <>
      <a className="skip" href="#main">
        {t.shell.skip}
      </a>
      {/* The second class keeps its width while a dialog hides the scroll bar. */}
      <header className="header right-scroll-bar-position">
        <button
          type="button"
          className="mantine-focus-auto burger"
          aria-label={t.shell.menu}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          <Icon name={opened ? 'cross' : 'menu'} size={22} />
        </button>
        <Link to="/" className="brand">
          <img src="/console/assets/icon.svg" alt="" width={24} height={24} />
          <span>{t.product}</span>
        </Link>
        <button type="button" className="mantine-focus-auto mantine-active search-button" onClick={finder.open}>
          <Icon name="search" size={15} />
          <span>{t.shell.search}</span>
          <kbd>{t.shell.searchKey}</kbd>
        </button>
        <HeaderButton className="search-small" icon="search" label={t.shell.search} onClick={finder.open} />
        <SchemeButton />
        <HeaderButton icon="help" label={t.shell.help} onClick={() => setHelp(true)} />
        <AccountMenu />
      </header>
      <nav className={opened ? 'navbar opened' : 'navbar'} aria-label={t.shell.navigation}>
        {visibleEntries(may).map((entry) => (
          <Link
            key={entry.to}
            to={entry.to}
            className="mantine-focus-auto nav"
            aria-current={(entry.to === '/' ? path === '/' : path.startsWith(entry.to)) ? 'page' : undefined}
          >
            <Icon name={entry.icon} />
            <span className="nav-label">
              <span>{entry.label}</span>
            </span>
            {entry.to === '/approvals' && <Waiting />}
          </Link>
        ))}
      </nav>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      {Notices !== null && <Notices position="bottom-right" autoClose={7000} />}
      {Aside !== null && <Aside help={help} onHelpClose={() => setHelp(false)} />}
    </>
  );
}

function HeaderButton({
  icon,
  label,
  className = '',
  onClick,
}: {
  icon: IconName;
  label: string;
  className?: string;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      className={`mantine-focus-auto mantine-active header-button ${className}`}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

/** How many calls wait, beside the page that answers them. By itself, so that a new number renders nothing else. */
function Waiting() {
  const waiting = useBadge();
  useNotification(waiting);
  return waiting > 0 ? (
    <span className="nav-badge" role="img" aria-label={t.approvals.waitingCount(waiting)}>
      {waiting}
    </span>
  ) : null;
}

function SchemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const next = { auto: 'light', light: 'dark', dark: 'auto' } as const;
  const icon = { auto: 'auto', light: 'sun', dark: 'moon' } as const;
  return (
    <HeaderButton
      icon={icon[colorScheme]}
      label={t.shell.schemes[colorScheme]}
      onClick={() => setColorScheme(next[colorScheme])}
    />
  );
}

/** Shortcuts of g and a letter, which open a page. */
function useGoing(): void {
  const navigate = useNavigate();
  const may = useMay();
  useShortcuts(
    Object.fromEntries(visibleEntries(may).map((entry) => [`g ${entry.key}`, () => void navigate({ to: entry.to })])),
  );
}

/** A system notification if more calls wait than before, without any details of them. */
function useNotification(waiting: number): void {
  const { notify } = usePreferences();
  const before = useRef(waiting);
  useEffect(() => {
    const more = waiting > before.current;
    before.current = waiting;
    if (more && notify === 'on' && document.hidden && Notification.permission === 'granted') {
      new Notification(t.product, { body: t.approvals.waitingCount(waiting), tag: 'toolgate-approvals' });
    }
  }, [waiting, notify]);
}
