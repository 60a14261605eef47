const PATHS = {
  overview: 'M4 13h6V4H4zM14 20h6V4h-6zM4 20h6v-4H4z',
  approvals: 'M9 12l2.5 2.5L16 9M12 3l7 3v6c0 4.5-3 7.5-7 9-4-1.500-7-4.500-7-9V6z',
  access: 'M4 4h16v16H4zM4 9.300h16M4 14.700h16M9.300 4v16M14.700 4v16',
  agents: 'M12 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM5 20c0-3.500 3-6 7-6s7 2.500 7 6',
  tools: 'M14.500 6.500a4 4 0 0 0-5.300 5L4 16.700 7.300 20l5.200-5.200a4 4 0 0 0 5-5.300L15 12l-3-3z',
  activity: 'M3 12h4l3-7 4 14 3-7h4',
  changes: 'M4 8h13M13 4l4 4-4 4M20 16H7M11 12l-4 4 4 4',
  servers: 'M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  usage: 'M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6',
  integrity: 'M10 14l-2 2a3.500 3.500 0 0 1-5-5l3-3a3.500 3.500 0 0 1 5 0M14 10l2-2a3.500 3.500 0 0 1 5 5l-3 3a3.500 3.500 0 0 1-5 0',
  chat: 'M4 5h16v11H10l-5 4v-4H4zM8 9h8M8 12h5',
  stop: 'M7 7h10v10H7z',
  send: 'M4 12l16-8-6 16-3-6z',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v2M12 19v2M3 12h2M19 12h2M5.600 5.600l1.400 1.400M17 17l1.400 1.400M18.400 5.600L17 7M7 17l-1.400 1.400',
  moon: 'M20 14a8 8 0 1 1-10-10 6.500 6.500 0 0 0 10 10z',
  auto: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 3v18M12 7h6M12 12h8.500M12 17h6',
  help: 'M9 9a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400M12 17.500h.01M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z',
  command: 'M5 6l5 6-5 6M12 18h7',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.500l4.500 4.500L19 7',
  cross: 'M6 6l12 12M18 6L6 18',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.500 2',
  person: 'M12 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM5 20c0-3.500 3-6 7-6s7 2.500 7 6',
  plus: 'M12 5v14M5 12h14',
  back: 'M15 5l-7 7 7 7',
  undo: 'M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6v1',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  groups: 'M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM3 19c0-3 2.500-5 6-5s6 2 6 5M16 5.500a3 3 0 0 1 0 5.500M17.500 14.300c2.200.600 3.500 2.300 3.500 4.700',
  templates: 'M5 4h14v5H5zM5 13h6v7H5zM15 13h4v7h-4z',
  sessions: 'M4 6h16M4 12h9M4 18h12M17 10v4',
  try: 'M7 5l11 7-11 7z',
  next: 'M9 5l7 7-7 7',
  menu: 'M4 6h16M4 12h16M4 18h16',
  key: 'M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 12h9M17 12v4M20 12v3',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon beside a label; hidden from screen readers. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
