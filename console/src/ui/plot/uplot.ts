import 'uplot/dist/uPlot.min.css';

/** Loaded when the first plot is shown, with its styles, which the policy wants from the server itself. */
export { default as UPlot } from 'uplot';
