// What the page needs of Apache ECharts, and no more; bundled by `python -m scripts.bundle`.
import { init, use } from "echarts/core";
import { BarChart, CustomChart, HeatmapChart, LineChart, ParallelChart, ScatterChart } from "echarts/charts";
import {
  GridComponent, LegendComponent, MarkLineComponent, ParallelComponent, TooltipComponent,
  VisualMapComponent,
} from "echarts/components";
import { CanvasRenderer, SVGRenderer } from "echarts/renderers";

use([
  BarChart, CustomChart, HeatmapChart, LineChart, ParallelChart, ScatterChart,
  GridComponent, LegendComponent, MarkLineComponent, ParallelComponent, TooltipComponent,
  VisualMapComponent, CanvasRenderer, SVGRenderer,
]);

export { init };
