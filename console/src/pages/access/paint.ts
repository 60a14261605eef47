import type { Look } from './model';

/** The size of cells and headers, in CSS pixels. */
export const SIZE = { cell: 26, row: 26, rowHeader: 190, columnHeader: 132 } as const;

/** Every look has a sign besides its colour, for users who cannot distinguish colours. */
export const SIGNS: Record<Look, string> = {
  allowed: '✓',
  group: '◦',
  approval: '?',
  conditional: 'ƒ',
  ending: '…',
  refused: '✕',
  used: '∅',
  expired: '–',
  unset: '',
};

interface Colours {
  fill: string;
  ink: string;
}

const LIGHT: Record<Look, Colours> = {
  allowed: { fill: '#c3e6cb', ink: '#14532d' },
  group: { fill: '#dcefe1', ink: '#14532d' },
  approval: { fill: '#ffe3a3', ink: '#5c3d00' },
  conditional: { fill: '#cfe2ff', ink: '#0b3d91' },
  ending: { fill: '#fbd9c0', ink: '#7a2e00' },
  refused: { fill: '#f5c2c7', ink: '#7a0c18' },
  used: { fill: '#e2d6f3', ink: '#43217a' },
  expired: { fill: '#e3e6ea', ink: '#3c434b' },
  unset: { fill: '#ffffff', ink: '#3c434b' },
};

const DARK: Record<Look, Colours> = {
  allowed: { fill: '#1d4a2c', ink: '#b9f0c8' },
  group: { fill: '#1c3325', ink: '#b9f0c8' },
  approval: { fill: '#54400f', ink: '#ffe08a' },
  conditional: { fill: '#1c3a66', ink: '#c3dcff' },
  ending: { fill: '#5a3018', ink: '#ffcfae' },
  refused: { fill: '#5b2029', ink: '#ffc9cf' },
  used: { fill: '#3a2a57', ink: '#dccbff' },
  expired: { fill: '#363b42', ink: '#d3d8de' },
  unset: { fill: '#242424', ink: '#d3d8de' },
};

export interface Scene {
  width: number;
  height: number;
  scrollLeft: number;
  scrollTop: number;
  rows: number;
  columns: number;
  scheme: 'light' | 'dark';
  look: (row: number, column: number) => Look;
  drafted: (row: number, column: number) => boolean;
  focus: { row: number; column: number };
  /** The selected block, with the focus in one of its corners. */
  selection: { top: number; bottom: number; left: number; right: number };
}

/** Paints the visible cells. A frame has at most some thousands of them, whatever the size of the matrix. */
export function paint(canvas: HTMLCanvasElement, scene: Scene): void {
  const ratio = window.devicePixelRatio || 1;
  const width = Math.max(1, Math.round(scene.width * ratio));
  const height = Math.max(1, Math.round(scene.height * ratio));
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const context = canvas.getContext('2d', { alpha: false });
  if (context === null) {
    return;
  }
  const colours = scene.scheme === 'dark' ? DARK : LIGHT;
  const line = scene.scheme === 'dark' ? '#3a3a3a' : '#e1e4e8';
  const accent = scene.scheme === 'dark' ? '#74b0ff' : '#1c5fc4';
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = colours.unset.fill;
  context.fillRect(0, 0, scene.width, scene.height);
  context.font = '13px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';

  const firstRow = Math.max(0, Math.floor(scene.scrollTop / SIZE.row));
  const lastRow = Math.min(scene.rows - 1, Math.floor((scene.scrollTop + scene.height) / SIZE.row));
  const firstColumn = Math.max(0, Math.floor(scene.scrollLeft / SIZE.cell));
  const lastColumn = Math.min(scene.columns - 1, Math.floor((scene.scrollLeft + scene.width) / SIZE.cell));
  const { top, bottom, left, right } = scene.selection;

  for (let row = firstRow; row <= lastRow; row++) {
    const y = row * SIZE.row - scene.scrollTop;
    for (let column = firstColumn; column <= lastColumn; column++) {
      const x = column * SIZE.cell - scene.scrollLeft;
      const look = scene.look(row, column);
      if (look !== 'unset') {
        context.fillStyle = colours[look].fill;
        context.fillRect(x, y, SIZE.cell - 1, SIZE.row - 1);
        context.fillStyle = colours[look].ink;
        context.fillText(SIGNS[look], x + SIZE.cell / 2, y + SIZE.row / 2);
      }
      if (scene.drafted(row, column)) {
        context.fillStyle = accent;
        context.beginPath();
        context.moveTo(x + SIZE.cell - 9, y);
        context.lineTo(x + SIZE.cell - 1, y);
        context.lineTo(x + SIZE.cell - 1, y + 8);
        context.fill();
      }
    }
  }

  context.strokeStyle = line;
  context.lineWidth = 1;
  context.beginPath();
  for (let row = firstRow; row <= lastRow + 1; row++) {
    const y = Math.round(row * SIZE.row - scene.scrollTop) - 0.5;
    context.moveTo(0, y);
    context.lineTo(Math.min(scene.width, (lastColumn + 1) * SIZE.cell - scene.scrollLeft), y);
  }
  for (let column = firstColumn; column <= lastColumn + 1; column++) {
    const x = Math.round(column * SIZE.cell - scene.scrollLeft) - 0.5;
    context.moveTo(x, 0);
    context.lineTo(x, Math.min(scene.height, (lastRow + 1) * SIZE.row - scene.scrollTop));
  }
  context.stroke();

  context.strokeStyle = accent;
  if (top !== bottom || left !== right) {
    context.lineWidth = 1.5;
    context.strokeRect(
      left * SIZE.cell - scene.scrollLeft + 0.5,
      top * SIZE.row - scene.scrollTop + 0.5,
      (right - left + 1) * SIZE.cell - 2,
      (bottom - top + 1) * SIZE.row - 2,
    );
  }
  context.lineWidth = 2.5;
  context.strokeRect(
    scene.focus.column * SIZE.cell - scene.scrollLeft + 1,
    scene.focus.row * SIZE.row - scene.scrollTop + 1,
    SIZE.cell - 3,
    SIZE.row - 3,
  );
}
