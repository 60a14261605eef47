import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { t } from '../../strings';
import { visibleParts } from '../../ui/Untrusted';
import { draft, lookOfWanted, useDraft } from './draft';
import type { Column, Look, Row, View } from './model';
import { paint, SIZE } from './paint';

/** Room below the last row, so that a scroll bar does not hide it. */
const SCROLL_BAR = 18;

export interface Position {
  row: number;
  column: number;
}

export interface Block {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export function blockOf(focus: Position, anchor: Position): Block {
  return {
    top: Math.min(focus.row, anchor.row),
    bottom: Math.max(focus.row, anchor.row),
    left: Math.min(focus.column, anchor.column),
    right: Math.max(focus.column, anchor.column),
  };
}

/** The actions of the grid's keys, besides moving. */
export interface GridActions {
  cycle: () => void;
  open: () => void;
  copy: () => void;
  paste: () => void;
  clear: () => void;
}

/** The look of a cell with the draft, as it is painted and read out. */
export function shownLook(view: View, row: Row, column: Column): Look {
  const wanted = draft.at(row.agent, column.tool);
  return wanted === undefined ? view.lookAt(row, column) : lookOfWanted(wanted);
}

/**
 * The cells on a canvas, since an element for every cell takes 300 ms a frame; headers and the row with the focus are
 * elements, for pointers and for screen readers.
 */
export function MatrixGrid({
  view,
  focus,
  anchor,
  onMove,
  actions,
}: {
  view: View;
  focus: Position;
  anchor: Position;
  onMove: (focus: Position, anchor: Position) => void;
  actions: GridActions;
}) {
  const scheme = useComputedColorScheme('light');
  const stored = useDraft();
  const scroller = useRef<HTMLDivElement | null>(null);
  const canvas = useRef<HTMLCanvasElement | null>(null);
  const { ref: sized, width, height } = useElementSize();
  const [scroll, setScroll] = useState({ left: 0, top: 0 });
  const bodyWidth = Math.max(0, width - SIZE.rowHeader);
  const bodyHeight = Math.max(0, height - SIZE.columnHeader);
  const selection = blockOf(focus, anchor);

  const paintNow = useCallback(() => {
    if (canvas.current === null || scroller.current === null) {
      return;
    }
    paint(canvas.current, {
      width: bodyWidth,
      height: bodyHeight,
      scrollLeft: scroller.current.scrollLeft,
      scrollTop: scroller.current.scrollTop,
      rows: view.rows.length,
      columns: view.columns.length,
      scheme,
      look: (row, column) => shownLook(view, view.rows[row]!, view.columns[column]!),
      drafted: (row, column) => draft.at(view.rows[row]!.agent, view.columns[column]!.tool) !== undefined,
      focus,
      selection,
    });
  }, [view, bodyWidth, bodyHeight, scheme, focus, selection]);

  useLayoutEffect(paintNow, [paintNow, stored, scroll]);

  // Scroll events are combined into one frame.
  const frame = useRef(0);
  const scrolled = () => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      const at = scroller.current;
      if (at !== null) {
        setScroll({ left: at.scrollLeft, top: at.scrollTop });
      }
    });
  };
  useEffect(() => () => cancelAnimationFrame(frame.current), []);

  // The focus stays visible.
  useEffect(() => {
    const at = scroller.current;
    if (at === null || bodyWidth === 0) {
      return;
    }
    const left = focus.column * SIZE.cell;
    const top = focus.row * SIZE.row;
    if (left < at.scrollLeft) {
      at.scrollLeft = left;
    } else if (left + SIZE.cell > at.scrollLeft + bodyWidth) {
      at.scrollLeft = left + SIZE.cell - bodyWidth;
    }
    if (top < at.scrollTop) {
      at.scrollTop = top;
    } else if (top + SIZE.row > at.scrollTop + bodyHeight) {
      at.scrollTop = top + SIZE.row - bodyHeight;
    }
  }, [focus, bodyWidth, bodyHeight]);

  const within = (position: Position): Position => ({
    row: Math.max(0, Math.min(view.rows.length - 1, position.row)),
    column: Math.max(0, Math.min(view.columns.length - 1, position.column)),
  });
  const move = (rows: number, columns: number, extend: boolean) => {
    const next = within({ row: focus.row + rows, column: focus.column + columns });
    onMove(next, extend ? anchor : next);
  };
  const page = Math.max(1, Math.floor(bodyHeight / SIZE.row) - 1);
  const pressed = (event: KeyboardEvent) => {
    const extend = event.shiftKey;
    const command = event.ctrlKey || event.metaKey;
    const keys: Record<string, () => void> = command
      ? {
          c: actions.copy,
          v: actions.paste,
          Home: () => move(-Infinity, -Infinity, extend),
          End: () => move(Infinity, Infinity, extend),
        }
      : {
          ArrowUp: () => move(-1, 0, extend),
          ArrowDown: () => move(1, 0, extend),
          ArrowLeft: () => move(0, -1, extend),
          ArrowRight: () => move(0, 1, extend),
          PageUp: () => move(-page, 0, extend),
          PageDown: () => move(page, 0, extend),
          Home: () => move(0, -Infinity, extend),
          End: () => move(0, Infinity, extend),
          ' ': actions.cycle,
          Enter: actions.open,
          Delete: actions.clear,
          Escape: () => onMove(focus, focus),
        };
    const action = keys[event.key];
    if (action !== undefined) {
      event.preventDefault();
      action();
    }
  };

  const positionAt = (event: PointerEvent): Position | null => {
    const box = canvas.current?.getBoundingClientRect();
    const at = scroller.current;
    if (box === undefined || at === null) {
      return null;
    }
    const row = Math.floor((event.clientY - box.top + at.scrollTop) / SIZE.row);
    const column = Math.floor((event.clientX - box.left + at.scrollLeft) / SIZE.cell);
    return row < view.rows.length && column < view.columns.length ? { row, column } : null;
  };
  const dragging = useRef(false);

  const firstRow = Math.max(0, Math.floor(scroll.top / SIZE.row));
  const lastRow = Math.min(view.rows.length, firstRow + Math.ceil(bodyHeight / SIZE.row) + 1);
  const firstColumn = Math.max(0, Math.floor(scroll.left / SIZE.cell));
  const lastColumn = Math.min(view.columns.length, firstColumn + Math.ceil(bodyWidth / SIZE.cell) + 1);
  const focusedRow = view.rows[focus.row];

  return (
    <div className="matrix" ref={sized} style={{ maxHeight: SIZE.columnHeader + view.rows.length * SIZE.row + SCROLL_BAR }}>
      <div
        className="matrix-scroll"
        ref={scroller}
        role="grid"
        aria-label={t.access.grid}
        aria-rowcount={view.rows.length + 1}
        aria-colcount={view.columns.length + 1}
        aria-multiselectable="true"
        aria-activedescendant={focusedRow === undefined ? undefined : 'matrix-focus'}
        tabIndex={0}
        onScroll={scrolled}
        onKeyDown={pressed}
      >
        <div
          className="matrix-size"
          role="presentation"
          style={{
            width: SIZE.rowHeader + view.columns.length * SIZE.cell,
            height: SIZE.columnHeader + view.rows.length * SIZE.row,
          }}
        >
          <div className="matrix-view" role="presentation" style={{ width, height }}>
            <canvas
              ref={canvas}
              aria-hidden="true"
              style={{ left: SIZE.rowHeader, top: SIZE.columnHeader, width: bodyWidth, height: bodyHeight }}
              onPointerDown={(event) => {
                const at = positionAt(event);
                if (at !== null) {
                  dragging.current = true;
                  event.currentTarget.setPointerCapture(event.pointerId);
                  onMove(at, event.shiftKey ? anchor : at);
                }
              }}
              onPointerMove={(event) => {
                const at = dragging.current ? positionAt(event) : null;
                if (at !== null) {
                  onMove(at, anchor);
                }
              }}
              onPointerUp={() => (dragging.current = false)}
              onDoubleClick={actions.open}
            />
            <div className="matrix-columns" aria-hidden="true" style={{ left: SIZE.rowHeader, width: bodyWidth }}>
              {view.columns.slice(firstColumn, lastColumn).map((column, number) => (
                <div
                  key={column.tool}
                  className={headerClass('matrix-column', firstColumn + number === focus.column, !column.exists)}
                  style={{ left: (firstColumn + number) * SIZE.cell - scroll.left }}
                  title={`${column.tool}${column.dangerous ? ` · ${t.access.dangerous}` : ''}`}
                >
                  <span>
                    {column.dangerous && <b className="matrix-danger">!</b>}
                    {visibleParts(column.tool)}
                  </span>
                </div>
              ))}
            </div>
            <div className="matrix-rows" aria-hidden="true" style={{ top: SIZE.columnHeader, height: bodyHeight }}>
              {view.rows.slice(firstRow, lastRow).map((row, number) => (
                <div
                  key={row.agent}
                  className={headerClass('matrix-row', firstRow + number === focus.row, false)}
                  style={{ top: (firstRow + number) * SIZE.row - scroll.top }}
                  title={row.groups.length === 0 ? row.agent : `${row.agent} · ${row.groups.join(', ')}`}
                >
                  <bdi>{visibleParts(row.name ?? row.agent)}</bdi>
                </div>
              ))}
            </div>
            <div className="matrix-corner" aria-hidden="true">
              {t.access.size(view.rows.length, view.columns.length)}
            </div>
          </div>
        </div>
        {focusedRow !== undefined && <Mirror view={view} row={focusedRow} focus={focus} selection={selection} />}
      </div>
    </div>
  );
}

function headerClass(name: string, focused: boolean, faded: boolean): string {
  return `${name}${focused ? ' focused' : ''}${faded ? ' faded' : ''}`;
}

/** The row with the focus as elements, which is what a screen reader reads of the canvas. */
function Mirror({ view, row, focus, selection }: { view: View; row: Row; focus: Position; selection: Block }) {
  return (
    <div className="visually-hidden" role="row" aria-rowindex={focus.row + 2}>
      <span role="rowheader" aria-colindex={1}>
        {row.name ?? row.agent}
      </span>
      {view.columns.map((column, number) => (
        <span
          key={column.tool}
          role="gridcell"
          id={number === focus.column ? 'matrix-focus' : undefined}
          aria-colindex={number + 2}
          aria-selected={number >= selection.left && number <= selection.right}
        >
          {describe(view, row, column)}
        </span>
      ))}
    </div>
  );
}

/** A cell in words. */
export function describe(view: View, row: Row, column: Column): string {
  const wanted = draft.at(row.agent, column.tool);
  const look = shownLook(view, row, column);
  const meaning = view.meaningAt(row, column);
  const source = wanted === undefined && meaning?.source === 'group' ? `, ${t.access.fromGroup}` : '';
  return t.access.cell(
    row.name ?? row.agent,
    column.tool,
    `${t.access.looks[look]}${source}${wanted === undefined ? '' : `, ${t.access.drafted}`}`,
  );
}
