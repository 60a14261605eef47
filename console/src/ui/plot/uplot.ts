import 'uplot/dist/uPlot.min.css';

/**
 * Loaded when the first plot is shown, with its styles, which the content security policy allows only from the server
 * itself.
 */
export { default as UPlot } from 'uplot';
