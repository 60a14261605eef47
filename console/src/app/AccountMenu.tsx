import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../api/client';
import { t } from '../strings';
import { Icon } from '../ui/Icon';
import { Untrusted } from '../ui/Untrusted';
import { session, useWho } from './session';

/** The logged-in user, and the way out: a button that opens a menu of one item. */
export function AccountMenu() {
  const [opened, setOpened] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const item = useRef<HTMLButtonElement>(null);
  const who = useWho();
  const client = useQueryClient();
  useEffect(() => {
    if (!opened) {
      return undefined;
    }
    item.current?.focus();
    const closeOutside = (event: PointerEvent) => {
      if (event.target instanceof Node && whole.current?.contains(event.target) !== true) {
        setOpened(false);
      }
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [opened]);
  const logOut = async () => {
    const { data } = await api.DELETE('/api/v1/console/session');
    client.clear();
    if (data?.sign_out_url === undefined) {
      session.leave(null);
    } else {
      window.location.assign(data.sign_out_url); // logs out at the identity provider too, which redirects back here
    }
  };
  return (
    <div
      ref={whole}
      className="account"
      onKeyDown={(event) => {
        if (!opened) {
          return;
        }
        if (event.key === 'Escape') {
          event.preventDefault();
          button.current?.focus();
          setOpened(false);
        } else if (event.key === 'Tab') {
          setOpened(false);
        }
      }}
    >
      <button
        ref={button}
        type="button"
        className="mantine-focus-auto mantine-active header-button"
        aria-label={t.shell.account}
        aria-haspopup="menu"
        aria-expanded={opened}
        title={t.shell.account}
        onClick={() => setOpened(!opened)}
      >
        <Icon name="person" />
      </button>
      {opened && (
        <div className="account-menu" role="menu" aria-label={t.shell.account}>
          <div className="account-who" role="presentation">
            <strong>
              <Untrusted>{who.display_name ?? who.name}</Untrusted>
            </strong>
            {who.display_name !== undefined && (
              <span>
                <Untrusted>{who.name}</Untrusted>
              </span>
            )}
            <span>{t.shell.roleIn(who.role, who.tenant_id)}</span>
          </div>
          <button
            ref={item}
            type="button"
            role="menuitem"
            className="mantine-focus-auto account-item"
            onClick={() => void logOut()}
          >
            {t.shell.logOut}
          </button>
        </div>
      )}
    </div>
  );
}
