// Written by scripts/oracles/make_grib_parameters.py with eccodes 2.50.0.

/** Number, short name, name of the variable if it is another, name, units, standard name. */
export const PARAMETERS = `1|strf||Stream function|m**2 s**-1|
2|vp||Velocity potential|m**2 s**-1|
3|pt||Potential temperature|K|
4|eqpt||Equivalent potential temperature|K|
5|sept||Saturated equivalent potential temperature|K|
6|ssfr||Soil sand fraction|(0 - 1)|
7|scfr||Soil clay fraction|(0 - 1)|
8|sro||Surface runoff|m|
9|ssro||Sub-surface runoff|m|
10|ws||Wind speed|m s**-1|
11|udvw||U component of divergent wind|m s**-1|
12|vdvw||V component of divergent wind|m s**-1|
13|urtw||U component of rotational wind|m s**-1|
14|vrtw||V component of rotational wind|m s**-1|
15|aluvp||UV visible albedo for direct radiation (climatological)|(0 - 1)|
16|aluvd||UV visible albedo for diffuse radiation (climatological)|(0 - 1)|
17|alnip||Near IR albedo for direct radiation (climatological)|(0 - 1)|
18|alnid||Near IR albedo for diffuse radiation (climatological)|(0 - 1)|
19|uvcs||Clear sky surface UV|J m**-2|
20|parcs||Surface photosynthetically active radiation, clear sky|J m**-2|
21|uctp||Unbalanced component of temperature|K|
22|ucln||Unbalanced component of logarithm of surface pressure||
23|ucdv||Unbalanced component of divergence|s**-1|
24||p24|Reserved for future unbalanced components||
25||p25|Reserved for future unbalanced components||
26|cl||Lake cover|(0 - 1)|
27|cvl||Low vegetation cover|(0 - 1)|
28|cvh||High vegetation cover|(0 - 1)|
29|tvl||Type of low vegetation|(Code table 4.234)|
30|tvh||Type of high vegetation|(Code table 4.234)|
31|ci|siconc|Sea ice area fraction|(0 - 1)|sea_ice_area_fraction
32|asn||Snow albedo|(0 - 1)|
33|rsn||Snow density|kg m**-3|
34|sst||Sea surface temperature|K|
35|istl1||Ice temperature layer 1|K|
36|istl2||Ice temperature layer 2|K|
37|istl3||Ice temperature layer 3|K|
38|istl4||Ice temperature layer 4|K|
39|swvl1||Volumetric soil water layer 1|m**3 m**-3|
40|swvl2||Volumetric soil water layer 2|m**3 m**-3|
41|swvl3||Volumetric soil water layer 3|m**3 m**-3|
42|swvl4||Volumetric soil water layer 4|m**3 m**-3|
43|slt||Soil type|(Code table 4.213)|
44|es||Snow evaporation|m of water equivalent|
45|smlt||Snowmelt|m of water equivalent|
46|sdur||Solar duration|s|
47|dsrp||Surface direct normal short-wave (solar) radiation|J m**-2|
48|magss||Time-integrated magnitude of turbulent surface stress|N m**-2 s|
49|10fg|fg10|Maximum 10 metre wind gust since previous post-processing|m s**-1|
50|lspf||Large-scale precipitation fraction|s|
51|mx2t24||Maximum temperature at 2 metres in the last 24 hours|K|
52|mn2t24||Minimum temperature at 2 metres in the last 24 hours|K|
53|mont||Montgomery potential|m**2 s**-2|
54|pres||Pressure|Pa|
55|mean2t24||Mean temperature at 2 metres in the last 24 hours|K|
56|mn2d24||Mean 2 metre dewpoint temperature in the last 24 hours|K|
57|uvb||Surface downward UV radiation|J m**-2|
58|par||Photosynthetically active radiation at the surface|J m**-2|
59|cape||Convective available potential energy|J kg**-1|
60|pv||Potential vorticity|K m**2 kg**-1 s**-1|
62|obct||Observation count||
63|stsktd||Start time for skin temperature difference|s|
64|ftsktd||Finish time for skin temperature difference|s|
65|sktd||Skin temperature difference|K|
66|lai_lv||Leaf area index, low vegetation|m**2 m**-2|
67|lai_hv||Leaf area index, high vegetation|m**2 m**-2|
68|msr_lv||Minimum stomatal resistance, low vegetation|s m**-1|
69|msr_hv||Minimum stomatal resistance, high vegetation|s m**-1|
70|bc_lv||Biome cover, low vegetation|(0 - 1)|
71|bc_hv||Biome cover, high vegetation|(0 - 1)|
72|issrd||Instantaneous surface solar radiation downwards|W m**-2|
73|istrd||Instantaneous surface thermal radiation downwards|W m**-2|
74|sdfor||Standard deviation of filtered subgrid orography (climatological)|m|
75|crwc||Specific rain water content|kg kg**-1|
76|cswc||Specific snow water content|kg kg**-1|
77|etadot||Eta-coordinate vertical velocity|s**-1|
78|tclw||Total column cloud liquid water|kg m**-2|
79|tciw||Total column cloud ice water|kg m**-2|
80||p80|Experimental product||
81||p81|Experimental product||
82||p82|Experimental product||
83||p83|Experimental product||
84||p84|Experimental product||
85||p85|Experimental product||
86||p86|Experimental product||
87||p87|Experimental product||
88||p88|Experimental product||
89||p89|Experimental product||
90||p90|Experimental product||
91||p91|Experimental product||
92||p92|Experimental product||
93||p93|Experimental product||
94||p94|Experimental product||
95||p95|Experimental product||
96||p96|Experimental product||
97||p97|Experimental product||
98||p98|Experimental product||
99||p99|Experimental product||
100||p100|Experimental product||
101||p101|Experimental product||
102||p102|Experimental product||
103||p103|Experimental product||
104||p104|Experimental product||
105||p105|Experimental product||
106||p106|Experimental product||
107||p107|Experimental product||
108||p108|Experimental product||
109||p109|Experimental product||
110||p110|Experimental product||
111||p111|Experimental product||
112||p112|Experimental product||
113||p113|Experimental product||
114||p114|Experimental product||
115||p115|Experimental product||
116||p116|Experimental product||
117||p117|Experimental product||
118||p118|Experimental product||
119||p119|Experimental product||
120||p120|Experimental product||
121|mx2t6||Maximum temperature at 2 metres in the last 6 hours|K|
122|mn2t6||Minimum temperature at 2 metres in the last 6 hours|K|
123|10fg6|fg10_6|Maximum 10 metre wind gust in the last 6 hours|m s**-1|
124|emis||Surface emissivity|Proportion|
125|vite||Vertically integrated total energy|J m**-2|
126||p126|Generic parameter for sensitive area prediction|Various|
127|at||Atmospheric tide||
128|bv||Budget values||
129|z||Geopotential|m**2 s**-2|geopotential
130|t||Temperature|K|air_temperature
131|u||U component of wind|m s**-1|eastward_wind
132|v||V component of wind|m s**-1|northward_wind
133|q||Specific humidity|kg kg**-1|specific_humidity
134|sp||Surface pressure|Pa|surface_air_pressure
135|w||Vertical velocity|Pa s**-1|lagrangian_tendency_of_air_pressure
136|tcw||Total column water|kg m**-2|
137|tcwv||Total column vertically-integrated water vapour|kg m**-2|lwe_thickness_of_atmosphere_mass_content_of_water_vapor
138|vo||Vorticity (relative)|s**-1|atmosphere_relative_vorticity
139|stl1||Soil temperature level 1|K|surface_temperature
140|swl1||Soil wetness level 1|m of water equivalent|lwe_thickness_of_soil_moisture_content
141|sd||Snow depth|m of water equivalent|lwe_thickness_of_surface_snow_amount
142|lsp||Large-scale precipitation|m|lwe_thickness_of_stratiform_precipitation_amount
143|cp||Convective precipitation|m|lwe_thickness_of_convective_precipitation_amount
144|sf||Snowfall|m of water equivalent|lwe_thickness_of_snowfall_amount
145|bld||Time-integrated boundary layer dissipation|J m**-2|kinetic_energy_dissipation_in_atmosphere_boundary_layer
146|sshf||Time-integrated surface sensible heat net flux|J m**-2|surface_upward_sensible_heat_flux
147|slhf||Time-integrated surface latent heat net flux|J m**-2|surface_upward_latent_heat_flux
148|chnk||Charnock|Numeric|
149|snr||Surface net radiation (SW and LW)|J m**-2|
150|tnr||Top net radiation (SW and LW)|J m**-2|
151|msl||Mean sea level pressure|Pa|air_pressure_at_mean_sea_level
152|lnsp||Logarithm of surface pressure|Numeric|
153|swhr||Short-wave heating rate|K|
154|lwhr||Long-wave heating rate|K|
155|d||Divergence|s**-1|divergence_of_wind
156|gh||Geopotential height|gpm|geopotential_height
157|r||Relative humidity|%|relative_humidity
158|tsp||Tendency of surface pressure|Pa s**-1|tendency_of_surface_air_pressure
159|blh||Boundary layer height|m|
160|sdor||Standard deviation of sub-gridscale orography|m|
161|isor||Anisotropy of sub-gridscale orography|Numeric|
162|anor||Angle of sub-gridscale orography|radians|
163|slor||Slope of sub-gridscale orography|Numeric|
164|tcc||Total cloud cover|(0 - 1)|cloud_area_fraction
165|10u|u10|10 metre U wind component|m s**-1|eastward_wind
166|10v|v10|10 metre V wind component|m s**-1|northward_wind
167|2t|t2m|2 metre temperature|K|air_temperature
168|2d|d2m|2 metre dewpoint temperature|K|
169|ssrd||Surface short-wave (solar) radiation downwards|J m**-2|surface_downwelling_shortwave_flux_in_air
170|stl2||Soil temperature level 2|K|
171|swl2||Soil wetness level 2|m of water equivalent|
172|lsm||Land-sea mask|(0 - 1)|land_binary_mask
173|sr||Surface roughness (climatological)|m|surface_roughness_length
174|al||Albedo (climatological)|(0 - 1)|surface_albedo
175|strd||Surface long-wave (thermal) radiation downwards|J m**-2|
176|ssr||Surface net short-wave (solar) radiation|J m**-2|surface_net_downward_shortwave_flux
177|str||Surface net long-wave (thermal) radiation|J m**-2|surface_net_upward_longwave_flux
178|tsr||Top net short-wave (solar) radiation|J m**-2|toa_net_upward_shortwave_flux
179|ttr||Top net long-wave (thermal) radiation|J m**-2|toa_outgoing_longwave_flux
180|ewss||Time-integrated eastward turbulent surface stress|N m**-2 s|surface_downward_eastward_stress
181|nsss||Time-integrated northward turbulent surface stress|N m**-2 s|surface_downward_northward_stress
182|e||Evaporation|m of water equivalent|lwe_thickness_of_water_evaporation_amount
183|stl3||Soil temperature level 3|K|
184|swl3||Soil wetness level 3|m of water equivalent|
185|ccc||Convective cloud cover|(0 - 1)|convective_cloud_area_fraction
186|lcc||Low cloud cover|(0 - 1)|
187|mcc||Medium cloud cover|(0 - 1)|
188|hcc||High cloud cover|(0 - 1)|
189|sund||Sunshine duration|s|
190|ewov||East-West component of sub-gridscale orographic variance|m**2|
191|nsov||North-South component of sub-gridscale orographic variance|m**2|
192|nwov||North-West/South-East component of sub-gridscale orographic variance|m**2|
193|neov||North-East/South-West component of sub-gridscale orographic variance|m**2|
194|btmp||Brightness temperature|K|
195|lgws||Eastward gravity wave surface stress|N m**-2 s|
196|mgws||Northward gravity wave surface stress|N m**-2 s|
197|gwd||Gravity wave dissipation|J m**-2|
198|src||Skin reservoir content|m of water equivalent|
199|veg||Vegetation fraction|(0 - 1)|
200|vso||Variance of sub-gridscale orography|m**2|
201|mx2t||Maximum temperature at 2 metres since previous post-processing|K|air_temperature
202|mn2t||Minimum temperature at 2 metres since previous post-processing|K|air_temperature
203|o3||Ozone mass mixing ratio|kg kg**-1|mass_fraction_of_ozone_in_air
204|paw||Precipitation analysis weights||
205|ro||Runoff|m|
206|tco3||Total column ozone|kg m**-2|atmosphere_mass_content_of_ozone
207|10si|si10|10 metre wind speed|m s**-1|
208|tsrc||Top net short-wave (solar) radiation, clear sky|J m**-2|
209|ttrc||Top net long-wave (thermal) radiation, clear sky|J m**-2|
210|ssrc||Surface net short-wave (solar) radiation, clear sky|J m**-2|surface_net_downward_shortwave_flux_assuming_clear_sky
211|strc||Surface net long-wave (thermal) radiation, clear sky|J m**-2|surface_net_downward_longwave_flux_assuming_clear_sky
212|tisr||TOA incident short-wave (solar) radiation|J m**-2|
213|vimd||Vertically integrated moisture divergence|kg m**-2|
214|dhr||Diabatic heating by radiation|K|
215|dhvd||Diabatic heating by vertical diffusion|K|
216|dhcc||Diabatic heating by cumulus convection|K|
217|dhlc||Diabatic heating large-scale condensation|K|
218|vdzw||Vertical diffusion of zonal wind|m s**-1|
219|vdmw||Vertical diffusion of meridional wind|m s**-1|
220|ewgd||East-West gravity wave drag tendency|m s**-1|
221|nsgd||North-South gravity wave drag tendency|m s**-1|
222|ctzw||Convective tendency of zonal wind|m s**-1|
223|ctmw||Convective tendency of meridional wind|m s**-1|
224|vdh||Vertical diffusion of humidity|kg kg**-1|
225|htcc||Humidity tendency by cumulus convection|kg kg**-1|
226|htlc||Humidity tendency by large-scale condensation|kg kg**-1|
227|crnh||Tendency due to removal of negative humidity|kg kg**-1|
228|tp||Total precipitation|m|
229|iews||Instantaneous eastward turbulent surface stress|N m**-2|
230|inss||Instantaneous northward turbulent surface stress|N m**-2|
231|ishf||Instantaneous surface sensible heat net flux|W m**-2|
232|ie||Instantaneous moisture flux|kg m**-2 s**-1|
233|asq||Apparent surface humidity|kg kg**-1|
234|lsrh||Logarithm of surface roughness length for heat (climatological)|Numeric|
235|skt||Skin temperature|K|
236|stl4||Soil temperature level 4|K|
237|swl4||Soil wetness level 4|m|
238|tsn||Temperature of snow layer|K|temperature_in_surface_snow
239|csf||Convective snowfall|m of water equivalent|
240|lsf||Large-scale snowfall|m of water equivalent|
241|acf||Accumulated cloud fraction tendency|(-1 to 1)|
242|alw||Accumulated liquid water tendency|(-1 to 1)|
243|fal||Forecast albedo|(0 - 1)|
244|fsr||Forecast surface roughness|m|
245|flsr||Forecast logarithm of surface roughness for heat|Numeric|
246|clwc||Specific cloud liquid water content|kg kg**-1|
247|ciwc||Specific cloud ice water content|kg kg**-1|
248|cc||Fraction of cloud cover|(0 - 1)|
249|aiw||Accumulated ice water tendency|(-1 to 1)|
250|ice||Ice age|(0 - 1)|
251|atte||Adiabatic tendency of temperature|K|
252|athe||Adiabatic tendency of humidity|kg kg**-1|
253|atze||Adiabatic tendency of zonal wind|m s**-1|
254|atmw||Adiabatic tendency of meridional wind|m s**-1|
255||p255|Indicates a missing value||
3003|ptend||Pressure tendency|Pa s**-1|
3005|icaht||ICAO Standard Atmosphere reference height|m|
3008|h||Geometrical height above ground|m|
3009|hstdv||Standard deviation of height|m|
3012|vptmp||Virtual potential temperature|K|
3014|papt||Pseudo-adiabatic potential temperature|K|
3015|tmax||Maximum temperature|K|
3016|tmin||Minimum temperature|K|
3017|dpt||Dew point temperature|K|
3018|depr||Dew point depression (or deficit)|K|
3019|lapr||Lapse rate|K m**-1|
3020|vis||Visibility|m|
3021|rdsp1||Radar spectra (1)||
3022|rdsp2||Radar spectra (2)||
3023|rdsp3||Radar spectra (3)||
3024|pli||Parcel lifted index (to 500 hPa)|K|
3025|ta||Temperature anomaly|K|
3026|presa||Pressure anomaly|Pa|
3027|gpa||Geopotential height anomaly|gpm|
3028|wvsp1||Wave spectra (1)||
3029|wvsp2||Wave spectra (2)||
3030|wvsp3||Wave spectra (3)||
3031|wdir||Wind direction|Degree true|
3037|mntsf||Montgomery stream Function|m**2 s**-2|
3038|sgcvv||Sigma coordinate vertical velocity|s**-1|
3041|absv||Absolute vorticity|s**-1|
3042|absd||Absolute divergence|s**-1|
3045|vucsh||Vertical u-component shear|s**-1|
3046|vvcsh||Vertical v-component shear|s**-1|
3047|dirc||Direction of current|Degree true|
3048|spc||Speed of current|m s**-1|
3053|mixr||Humidity mixing ratio|kg kg**-1|
3054|pwat||Precipitable water|kg m**-2|
3055|vp||Vapour pressure|Pa|
3056|satd||Saturation deficit|Pa|
3059|prate||Precipitation rate|kg m**-2 s**-1|
3060|tstm||Thunderstorm probability|%|
3062|lsp||Large-scale precipitation|kg m**-2|
3063|acpcp||Convective precipitation (water)|kg m**-2|lwe_thickness_of_convective_precipitation_amount
3064|srweq||Snow fall rate water equivalent|kg m**-2 s**-1|
3066|sde||Snow depth|m|lwe_thickness_of_surface_snow_amount
3067|mld||Mixed layer depth|m|
3068|tthdp||Transient thermocline depth|m|
3069|mthd||Main thermocline depth|m|
3070|mtha||Main thermocline anomaly|m|
3072|ccc||Convective cloud cover|%|convective_cloud_area_fraction
3073|lcc||Low cloud cover|%|
3074|mcc||Medium cloud cover|%|
3075|hcc||High cloud cover|%|
3077|bli||Best lifted index (to 500 hPa)|K|
3079|lssf||Large scale snow|kg m**-2|
3080|wtmp||Water temperature|K|
3082|dslm||Deviation of sea-level from mean|m|
3086|ssw||Soil moisture content|kg m**-2|
3088|s||Salinity|kg kg**-1|
3089|den||Density|kg m**-3|
3091|icec||Ice cover (1=ice, 0=no ice)|(0 - 1)|
3092|icetk||Ice thickness|m|
3093|diced||Direction of ice drift|Degree true|
3094|siced||Speed of ice drift|m s**-1|
3095|uice||U-component of ice drift|m s**-1|
3096|vice||V-component of ice drift|m s**-1|
3097|iceg||Ice growth rate|m s**-1|
3098|iced||Ice divergence|s**-1|
3099|snom||Snowmelt|kg m**-2|
3100|swh||Significant height of combined wind waves and swell|m|
3101|mdww||Mean direction of wind waves|Degree true|
3102|shww||Significant height of wind waves|m|
3103|mpww||Mean period of wind waves|s|
3104|swdir||Direction of swell waves|Degree true|
3105|swell||Significant height of swell waves|m|
3106|swper||Mean period of swell waves|s|
3107|mdps||Primary wave direction|Degree true|
3108|mpps||Primary wave mean period|s|
3109|dirsw||Secondary wave direction|Degree true|
3110|swp||Secondary wave mean period|s|
3111|nswrs||Net short-wave radiation flux (surface)|W m**-2|
3112|nlwrs||Net long-wave radiation flux (surface)|W m**-2|
3113|nswrt||Net short-wave radiation flux(atmosph.top)|W m**-2|
3114|nlwrt||Net long-wave radiation flux(atmosph.top)|W m**-2|
3115|lwavr||Long wave radiation flux|W m**-2|
3116|swavr||Short wave radiation flux|W m**-2|
3117|grad||Global radiation flux|W m**-2|
3119|lwrad||Radiance (with respect to wave number)|W m**-1 sr**-1|
3120|swrad||Radiance (with respect to wave length)|W m**-3 sr**-1|
3121|lhf||Latent heat flux|W m**-2|surface_upward_latent_heat_flux
3122|shf||Sensible heat flux|W m**-2|surface_upward_sensible_heat_flux
3123|bld||Boundary layer dissipation|W m**-2|kinetic_energy_dissipation_in_atmosphere_boundary_layer
3124|uflx||Momentum flux, u-component|N m**-2|
3125|vflx||Momentum flux, v-component|N m**-2|
3126|wmixe||Wind mixing energy|J|
3127|imgd||Image data||
129001|strfgrd||Stream function gradient|m**2 s**-1|
129002|vpotgrd||Velocity potential gradient|m**2 s**-1|
129003|ptgrd||Potential temperature gradient|K|
129004|eqptgrd||Equivalent potential temperature gradient|K|
129005|septgrd||Saturated equivalent potential temperature gradient|K|
129011|udvwgrd||U component of divergent wind gradient|m s**-1|
129012|vdvwgrd||V component of divergent wind gradient|m s**-1|
129013|urtwgrd||U component of rotational wind gradient|m s**-1|
129014|vrtwgrd||V component of rotational wind gradient|m s**-1|
129021|uctpgrd||Unbalanced component of temperature gradient|K|
129022|uclngrd||Unbalanced component of logarithm of surface pressure gradient||
129023|ucdvgrd||Unbalanced component of divergence gradient|s**-1|
129024||p129024|Reserved for future unbalanced components||
129025||p129025|Reserved for future unbalanced components||
129026|clgrd||Lake cover gradient|(0 - 1)|
129027|cvlgrd||Low vegetation cover gradient|(0 - 1)|
129028|cvhgrd||High vegetation cover gradient|(0 - 1)|
129029|tvlgrd||Type of low vegetation gradient||
129030|tvhgrd||Type of high vegetation gradient||
129031|sicgrd||Sea-ice cover gradient|(0 - 1)|
129032|asngrd||Snow albedo gradient|(0 - 1)|
129033|rsngrd||Snow density gradient|kg m**-3|
129034|sstkgrd||Sea surface temperature gradient|K|
129035|istl1grd||Ice surface temperature layer 1 gradient|K|
129036|istl2grd||Ice surface temperature layer 2 gradient|K|
129037|istl3grd||Ice surface temperature layer 3 gradient|K|
129038|istl4grd||Ice surface temperature layer 4 gradient|K|
129039|swvl1grd||Volumetric soil water layer 1 gradient|m**3 m**-3|
129040|swvl2grd||Volumetric soil water layer 2 gradient|m**3 m**-3|
129041|swvl3grd||Volumetric soil water layer 3 gradient|m**3 m**-3|
129042|swvl4grd||Volumetric soil water layer 4 gradient|m**3 m**-3|
129043|sltgrd||Soil type gradient||
129044|esgrd||Snow evaporation gradient|kg m**-2|
129045|smltgrd||Snowmelt gradient|kg m**-2|
129046|sdurgrd||Solar duration gradient|s|
129047|dsrpgrd||Direct solar radiation gradient|J m**-2|
129048|magssgrd||Magnitude of turbulent surface stress gradient|N m**-2 s|
129049|10fggrd|fggrd10|10 metre wind gust gradient|m s**-1|
129050|lspfgrd||Large-scale precipitation fraction gradient|s|
129051|mx2t24grd||Maximum 2 metre temperature gradient|K|
129052|mn2t24grd||Minimum 2 metre temperature gradient|K|
129053|montgrd||Montgomery potential gradient|m**2 s**-2|
129054|presgrd||Pressure gradient|Pa|
129055|mean2t24grd||Mean 2 metre temperature in the last 24 hours gradient|K|
129056|mn2d24grd||Mean 2 metre dewpoint temperature in the last 24 hours gradient|K|
129057|uvbgrd||Downward UV radiation at the surface gradient|J m**-2|
129058|pargrd||Photosynthetically active radiation at the surface gradient|J m**-2|
129059|capegrd||Convective available potential energy gradient|J kg**-1|
129060|pvgrd||Potential vorticity gradient|K m**2 kg**-1 s**-1|
129061|tpogrd||Total precipitation from observations gradient|Millimetres*100 + number of stations|
129062|obctgrd||Observation count gradient||
129063||p129063|Start time for skin temperature difference|s|
129064||p129064|Finish time for skin temperature difference|s|
129065||p129065|Skin temperature difference|K|
129066||p129066|Leaf area index, low vegetation|m**2 m**-2|
129067||p129067|Leaf area index, high vegetation|m**2 m**-2|
129070||p129070|Biome cover, low vegetation|(0 - 1)|
129071||p129071|Biome cover, high vegetation|(0 - 1)|
129078||p129078|Total column liquid water|kg m**-2|
129079||p129079|Total column ice water|kg m**-2|
129080||p129080|Experimental product||
129081||p129081|Experimental product||
129082||p129082|Experimental product||
129083||p129083|Experimental product||
129084||p129084|Experimental product||
129085||p129085|Experimental product||
129086||p129086|Experimental product||
129087||p129087|Experimental product||
129088||p129088|Experimental product||
129089||p129089|Experimental product||
129090||p129090|Experimental product||
129091||p129091|Experimental product||
129092||p129092|Experimental product||
129093||p129093|Experimental product||
129094||p129094|Experimental product||
129095||p129095|Experimental product||
129096||p129096|Experimental product||
129097||p129097|Experimental product||
129098||p129098|Experimental product||
129099||p129099|Experimental product||
129100||p129100|Experimental product||
129101||p129101|Experimental product||
129102||p129102|Experimental product||
129103||p129103|Experimental product||
129104||p129104|Experimental product||
129105||p129105|Experimental product||
129106||p129106|Experimental product||
129107||p129107|Experimental product||
129108||p129108|Experimental product||
129109||p129109|Experimental product||
129110||p129110|Experimental product||
129111||p129111|Experimental product||
129112||p129112|Experimental product||
129113||p129113|Experimental product||
129114||p129114|Experimental product||
129115||p129115|Experimental product||
129116||p129116|Experimental product||
129117||p129117|Experimental product||
129118||p129118|Experimental product||
129119||p129119|Experimental product||
129120||p129120|Experimental product||
129121|mx2t6grd||Maximum temperature at 2 metres gradient|K|
129122|mn2t6grd||Minimum temperature at 2 metres gradient|K|
129123|10fg6grd|fg6grd10|10 metre wind gust in the last 6 hours gradient|m s**-1|
129125||p129125|Vertically integrated total energy|J m**-2|
129126||p129126|Generic parameter for sensitive area prediction|Various|
129127|atgrd||Atmospheric tide gradient||
129128|bvgrd||Budget values gradient||
129129|zgrd||Geopotential gradient|m**2 s**-2|
129130|tgrd||Temperature gradient|K|
129131|ugrd||U component of wind gradient|m s**-1|
129132|vgrd||V component of wind gradient|m s**-1|
129133|qgrd||Specific humidity gradient|kg kg**-1|
129134|spgrd||Surface pressure gradient|Pa|
129135|wgrd||vertical velocity (pressure) gradient|Pa s**-1|
129136|tcwgrd||Total column water gradient|kg m**-2|
129137|tcwvgrd||Total column water vapour gradient|kg m**-2|
129138|vogrd||Vorticity (relative) gradient|s**-1|
129139|stl1grd||Soil temperature level 1 gradient|K|
129140|swl1grd||Soil wetness level 1 gradient|kg m**-2|
129141|sdgrd||Snow depth gradient|m of water equivalent|
129142|lspgrd||Stratiform precipitation (Large-scale precipitation) gradient|m|
129143|cpgrd||Convective precipitation gradient|m|
129144|sfgrd||Snowfall (convective + stratiform) gradient|m of water equivalent|
129145|bldgrd||Boundary layer dissipation gradient|J m**-2|
129146|sshfgrd||Surface sensible heat flux gradient|J m**-2|
129147|slhfgrd||Surface latent heat flux gradient|J m**-2|
129148|chnkgrd||Charnock gradient||
129149|snrgrd||Surface net radiation gradient|J m**-2|
129150|tnrgrd||Top net radiation gradient||
129151|mslgrd||Mean sea level pressure gradient|Pa|
129152|lnspgrd||Logarithm of surface pressure gradient||
129153|swhrgrd||Short-wave heating rate gradient|K|
129154|lwhrgrd||Long-wave heating rate gradient|K|
129155|dgrd||Divergence gradient|s**-1|
129156|ghgrd||Height gradient|m|
129157|rgrd||Relative humidity gradient|%|
129158|tspgrd||Tendency of surface pressure gradient|Pa s**-1|
129159|blhgrd||Boundary layer height gradient|m|
129160|sdorgrd||Standard deviation of orography gradient||
129161|isorgrd||Anisotropy of sub-gridscale orography gradient||
129162|anorgrd||Angle of sub-gridscale orography gradient|radians|
129163|slorgrd||Slope of sub-gridscale orography gradient||
129164|tccgrd||Total cloud cover gradient|(0 - 1)|
129165|10ugrd|ugrd10|10 metre U wind component gradient|m s**-1|
129166|10vgrd|vgrd10|10 metre V wind component gradient|m s**-1|
129167|2tgrd|grd2t|2 metre temperature gradient|K|
129168|2dgrd|grd2d|2 metre dewpoint temperature gradient|K|
129169|ssrdgrd||Surface solar radiation downwards gradient|J m**-2|
129170|stl2grd||Soil temperature level 2 gradient|K|
129171|swl2grd||Soil wetness level 2 gradient|kg m**-2|
129172|lsmgrd||Land-sea mask gradient|(0 - 1)|
129173|srgrd||Surface roughness gradient|m|
129174|algrd||Albedo gradient|(0 - 1)|
129175|strdgrd||Surface thermal radiation downwards gradient|J m**-2|
129176|ssrgrd||Surface net solar radiation gradient|J m**-2|
129177|strgrd||Surface net thermal radiation gradient|J m**-2|
129178|tsrgrd||Top net solar radiation gradient|J m**-2|
129179|ttrgrd||Top net thermal radiation gradient|J m**-2|
129180|ewssgrd||East-West surface stress gradient|N m**-2 s|
129181|nsssgrd||North-South surface stress gradient|N m**-2 s|
129182|egrd||Evaporation gradient|kg m**-2|
129183|stl3grd||Soil temperature level 3 gradient|K|
129184|swl3grd||Soil wetness level 3 gradient|kg m**-2|
129185|cccgrd||Convective cloud cover gradient|(0 - 1)|
129186|lccgrd||Low cloud cover gradient|(0 - 1)|
129187|mccgrd||Medium cloud cover gradient|(0 - 1)|
129188|hccgrd||High cloud cover gradient|(0 - 1)|
129189|sundgrd||Sunshine duration gradient|s|
129190|ewovgrd||East-West component of sub-gridscale orographic variance gradient|m**2|
129191|nsovgrd||North-South component of sub-gridscale orographic variance gradient|m**2|
129192|nwovgrd||North-West/South-East component of sub-gridscale orographic variance gradient|m**2|
129193|neovgrd||North-East/South-West component of sub-gridscale orographic variance gradient|m**2|
129194|btmpgrd||Brightness temperature gradient|K|
129195|lgwsgrd||Longitudinal component of gravity wave stress gradient|N m**-2 s|
129196|mgwsgrd||Meridional component of gravity wave stress gradient|N m**-2 s|
129197|gwdgrd||Gravity wave dissipation gradient|J m**-2|
129198|srcgrd||Skin reservoir content gradient|kg m**-2|
129199|veggrd||Vegetation fraction gradient|(0 - 1)|
129200|vsogrd||Variance of sub-gridscale orography gradient|m**2|
129201|mx2tgrd||Maximum temperature at 2 metres since previous post-processing gradient|K|
129202|mn2tgrd||Minimum temperature at 2 metres since previous post-processing gradient|K|
129203|o3grd||Ozone mass mixing ratio gradient|kg kg**-1|
129204|pawgrd||Precipitation analysis weights gradient||
129205|rogrd||Runoff gradient|m|
129206|tco3grd||Total column ozone gradient|kg m**-2|
129207|10sigrd|sigrd10|10 metre wind speed gradient|m s**-1|
129208|tsrcgrd||Top net solar radiation, clear sky gradient|J m**-2|
129209|ttrcgrd||Top net thermal radiation, clear sky gradient|J m**-2|
129210|ssrcgrd||Surface net solar radiation, clear sky gradient|J m**-2|
129211|strcgrd||Surface net thermal radiation, clear sky gradient|J m**-2|
129212|tisrgrd||TOA incident solar radiation gradient|J m**-2|
129214|dhrgrd||Diabatic heating by radiation gradient|K|
129215|dhvdgrd||Diabatic heating by vertical diffusion gradient|K|
129216|dhccgrd||Diabatic heating by cumulus convection gradient|K|
129217|dhlcgrd||Diabatic heating large-scale condensation gradient|K|
129218|vdzwgrd||Vertical diffusion of zonal wind gradient|m s**-1|
129219|vdmwgrd||Vertical diffusion of meridional wind gradient|m s**-1|
129220|ewgdgrd||East-West gravity wave drag tendency gradient|m s**-1|
129221|nsgdgrd||North-South gravity wave drag tendency gradient|m s**-1|
129222|ctzwgrd||Convective tendency of zonal wind gradient|m s**-1|
129223|ctmwgrd||Convective tendency of meridional wind gradient|m s**-1|
129224|vdhgrd||Vertical diffusion of humidity gradient|kg kg**-1|
129225|htccgrd||Humidity tendency by cumulus convection gradient|kg kg**-1|
129226|htlcgrd||Humidity tendency by large-scale condensation gradient|kg kg**-1|
129227|crnhgrd||Change from removal of negative humidity gradient|kg kg**-1|
129228|tpgrd||Total precipitation gradient|m|
129229|iewsgrd||Instantaneous X surface stress gradient|N m**-2|
129230|inssgrd||Instantaneous Y surface stress gradient|N m**-2|
129231|ishfgrd||Instantaneous surface heat flux gradient|J m**-2|
129232|iegrd||Instantaneous moisture flux gradient|kg m**-2 s|
129233|asqgrd||Apparent surface humidity gradient|kg kg**-1|
129234|lsrhgrd||Logarithm of surface roughness length for heat gradient||
129235|sktgrd||Skin temperature gradient|K|
129236|stl4grd||Soil temperature level 4 gradient|K|
129237|swl4grd||Soil wetness level 4 gradient|m|
129238|tsngrd||Temperature of snow layer gradient|K|
129239|csfgrd||Convective snowfall gradient|m of water equivalent|
129240|lsfgrd||Large scale snowfall gradient|m of water equivalent|
129241|acfgrd||Accumulated cloud fraction tendency gradient|(-1 to 1)|
129242|alwgrd||Accumulated liquid water tendency gradient|(-1 to 1)|
129243|falgrd||Forecast albedo gradient|(0 - 1)|
129244|fsrgrd||Forecast surface roughness gradient|m|
129245|flsrgrd||Forecast logarithm of surface roughness for heat gradient||
129246|clwcgrd||Specific cloud liquid water content gradient|kg kg**-1|
129247|ciwcgrd||Specific cloud ice water content gradient|kg kg**-1|
129248|ccgrd||Cloud cover gradient|(0 - 1)|
129249|aiwgrd||Accumulated ice water tendency gradient|(-1 to 1)|
129250|icegrd||Ice age gradient|(0 - 1)|
129251|attegrd||Adiabatic tendency of temperature gradient|K|
129252|athegrd||Adiabatic tendency of humidity gradient|kg kg**-1|
129253|atzegrd||Adiabatic tendency of zonal wind gradient|m s**-1|
129254|atmwgrd||Adiabatic tendency of meridional wind gradient|m s**-1|
129255||p129255|Indicates a missing value||
130208|tsru||Top solar radiation upward|J m**-2|
130209|ttru||Top thermal radiation upward|J m**-2|
130210|tsuc||Top solar radiation upward, clear sky|J m**-2|
130211|ttuc||Top thermal radiation upward, clear sky|J m**-2|
130212|clw||Cloud liquid water|kg kg**-1|
130213|cf||Cloud fraction|(0 - 1)|
130214|dhr||Diabatic heating by radiation|K s**-1|
130215|dhvd||Diabatic heating by vertical diffusion|K s**-1|
130216|dhcc||Diabatic heating by cumulus convection|K s**-1|
130217|dhlc||Diabatic heating by large-scale condensation|K s**-1|
130218|vdzw||Vertical diffusion of zonal wind|m**2 s**-3|
130219|vdmw||Vertical diffusion of meridional wind|m**2 s**-3|
130220|ewgd||East-West gravity wave drag|m**2 s**-3|
130221|nsgd||North-South gravity wave drag|m**2 s**-3|
130224|vdh||Vertical diffusion of humidity|kg kg**-1 s**-1|
130225|htcc||Humidity tendency by cumulus convection|kg kg**-1 s**-1|
130226|htlc||Humidity tendency by large-scale condensation|kg kg**-1 s**-1|
130228|att||Adiabatic tendency of temperature|K s**-1|
130229|ath||Adiabatic tendency of humidity|kg kg**-1 s**-1|
130230|atzw||Adiabatic tendency of zonal wind|m**2 s**-3|
130231|atmwax||Adiabatic tendency of meridional wind|m**2 s**-3|
130232|mvv||Mean vertical velocity|Pa s**-1|
131001|2tag2|t2ag2|2m temperature anomaly of at least +2K|%|
131002|2tag1|t2ag1|2m temperature anomaly of at least +1K|%|
131003|2tag0|t2ag0|2m temperature anomaly of at least 0K|%|
131004|2talm1|t2alm1|2m temperature anomaly of at most -1K|%|
131005|2talm2|t2alm2|2m temperature anomaly of at most -2K|%|
131006|tpag20||Total precipitation anomaly of at least 20 mm|%|
131007|tpag10||Total precipitation anomaly of at least 10 mm|%|
131008|tpag0||Total precipitation anomaly of at least 0 mm|%|
131009|stag0||Surface temperature anomaly of at least 0K|%|
131010|mslag0||Mean sea level pressure anomaly of at least 0 Pa|%|
131015|h0dip||Height of 0 degree isotherm probability|%|
131016|hslp||Height of snowfall limit probability|%|
131017|saip||Showalter index probability|%|
131018|whip||Whiting index probability|%|
131020|talm2||Temperature anomaly less than -2 K|%|
131021|tag2||Temperature anomaly of at least +2 K|%|
131022|talm8||Temperature anomaly less than -8 K|%|
131023|talm4||Temperature anomaly less than -4 K|%|
131024|tag4||Temperature anomaly greater than +4 K|%|
131025|tag8||Temperature anomaly greater than +8 K|%|
131049|10gp|g10p|10 metre wind gust probability|%|
131059|capep||Convective available potential energy probability|%|
131060|tpg1||Total precipitation of at least 1 mm|%|
131061|tpg5||Total precipitation of at least 5 mm|%|
131062|tpg10||Total precipitation of at least 10 mm|%|
131063|tpg20||Total precipitation of at least 20 mm|%|
131064|tpl01||Total precipitation less than 0.1 mm|%|
131065|tprl1||Total precipitation rate less than 1 mm/day|%|
131066|tprg3||Total precipitation rate of at least 3 mm/day|%|
131067|tprg5||Total precipitation rate of at least 5 mm/day|%|
131068|10spg10|sp10g10|10 metre Wind speed of at least 10 m/s|%|
131069|10spg15|sp10g15|10 metre Wind speed of at least 15 m/s|%|
131070|10fgg15|fg10g15|10 metre wind gust of at least 15 m/s|%|
131071|10fgg20|fg10g20|10 metre wind gust of at least 20 m/s|%|
131072|10fgg25|fg10g25|10 metre wind gust of at least 25 m/s|%|
131073|2tl273|t2l273|2 metre temperature less than 273.15 K|%|
131074|swhg2||Significant wave height of at least 2 m|%|
131075|swhg4||Significant wave height of at least 4 m|%|
131076|swhg6||Significant wave height of at least 6 m|%|
131077|swhg8||Significant wave height of at least 8 m|%|
131078|mwpg8||Mean wave period of at least 8 s|%|
131079|mwpg10||Mean wave period of at least 10 s|%|
131080|mwpg12||Mean wave period of at least 12 s|%|
131081|mwpg15||Mean wave period of at least 15 s|%|
131082|tpg40||Total precipitation of at least 40 mm|%|
131083|tpg60||Total precipitation of at least 60 mm|%|
131084|tpg80||Total precipitation of at least 80 mm|%|
131085|tpg100||Total precipitation of at least 100 mm|%|
131086|tpg150||Total precipitation of at least 150 mm|%|
131087|tpg200||Total precipitation of at least 200 mm|%|
131088|tpg300||Total precipitation of at least 300 mm|%|
131089|pts||Probability of a tropical storm|%|
131090|ph||Probability of a hurricane|%|
131091|ptd||Probability of a tropical depression|%|
131092|cpts||Climatological probability of a tropical storm|%|
131093|cph||Climatological probability of a hurricane|%|
131094|cptd||Climatological probability of a tropical depression|%|
131095|pats||Probability anomaly of a tropical storm|%|
131096|pah||Probability anomaly of a hurricane|%|
131097|patd||Probability anomaly of a tropical depression|%|
131098|tpg25||Total precipitation of at least 25 mm|%|
131099|tpg50||Total precipitation of at least 50 mm|%|
131100|10fgg10|fg10g10|10 metre wind gust of at least 10 m/s|%|
131129|zp||Geopotential probability|%|
131130|tap||Temperature anomaly probability|%|
131139|stl1p||Soil temperature level 1 probability|%|
131144|sfp||Snowfall (convective + stratiform) probability|%|
131151|mslpp||Mean sea level pressure probability|%|
131164|tccp||Total cloud cover probability|%|
131165|10sp|sp10|10 metre speed probability|%|
131167|2tp|t2p|2 metre temperature probability|%|
131201|mx2tp||Maximum 2 metre temperature probability|%|
131202|mn2tp||Minimum 2 metre temperature probability|%|
131228|tpp||Total precipitation probability|%|
131229|swhp||Significant wave height probability|%|
131232|mwpp||Mean wave period probability|%|
131255||p131255|Indicates a missing value||
132044|capesi||Convective available potential energy shear index|Numeric|
132045|wvfi||Water vapour flux index|Numeric|
132059|capei||Convective available potential energy index|Numeric|
132216|maxswhi||Maximum of significant wave height index|Numeric|
140080|wx1||Wave experimental parameter 1||
140081|wx2||Wave experimental parameter 2||
140082|wx3||Wave experimental parameter 3||
140083|wx4||Wave experimental parameter 4||
140084|wx5||Wave experimental parameter 5||
140098|weta||Wave induced mean sea level correction|m|
140099|wraf||Ratio of wave angular and frequency width|Numeric|
140100|wnslc||Number of events in freak waves statistics|Numeric|
140101|utaua||U-component of atmospheric surface momentum flux|N m**-2|
140102|vtaua||V-component of atmospheric surface momentum flux|N m**-2|
140103|utauo||U-component of surface momentum flux into ocean|N m**-2|
140104|vtauo||V-component of surface momentum flux into ocean|N m**-2|
140105|wphio||Wave turbulent energy flux into ocean|W m**-2|
140106|wdw1||Wave directional width of first swell partition|radians|
140107|wfw1||Wave frequency width of first swell partition|dimensionless|
140108|wdw2||Wave directional width of second swell partition|radians|
140109|wfw2||Wave frequency width of second swell partition|dimensionless|
140110|wdw3||Wave directional width of third swell partition|radians|
140111|wfw3||Wave frequency width of third swell partition|dimensionless|
140112|wefxm||Wave energy flux magnitude|W m**-1|
140113|wefxd||Wave energy flux mean direction|Degree true|
140114|h1012||Significant wave height of all waves with periods within the inclusive range from 10 to 12 seconds|m|
140115|h1214||Significant wave height of all waves with periods within the inclusive range from 12 to 14 seconds|m|
140116|h1417||Significant wave height of all waves with periods within the inclusive range from 14 to 17 seconds|m|
140117|h1721||Significant wave height of all waves with periods within the inclusive range from 17 to 21 seconds|m|
140118|h2125||Significant wave height of all waves with periods within the inclusive range from 21 to 25 seconds|m|
140119|h2530||Significant wave height of all waves with periods within the inclusive range from 25 to 30 seconds|m|
140120|sh10||Significant wave height of all waves with period larger than 10s|m|
140121|swh1||Significant wave height of first swell partition|m|
140122|mwd1||Mean wave direction of first swell partition|degrees|
140123|mwp1||Mean wave period of first swell partition|s|
140124|swh2||Significant wave height of second swell partition|m|
140125|mwd2||Mean wave direction of second swell partition|degrees|
140126|mwp2||Mean wave period of second swell partition|s|
140127|swh3||Significant wave height of third swell partition|m|
140128|mwd3||Mean wave direction of third swell partition|degrees|
140129|mwp3||Mean wave period of third swell partition|s|
140131|tdcmax||Time domain maximum individual crest height|m|
140132|tdhmax||Time domain maximum individual wave height|m|
140133|stcmax||Space time maximum individual crest height|m|
140134|sthmax||Space time maximum individual wave height|m|
140135|pp1dw||Peak wave period of wind waves|s|
140136|pp1ds||Peak wave period of total swell|s|
140137|pp1d1||Peak wave period of first swell partition|s|
140138|pp1d2||Peak wave period of second swell partition|s|
140139|pp1d3||Peak wave period of third swell partition|s|
140140|pwd||Peak wave direction (total)|Degree true|
140141|pwdw||Peak wave direction of wind waves|Degree true|
140142|pwds||Peak wave direction of total swell|Degree true|
140143|pwd1||Peak wave direction of first swell partition|Degree true|
140144|pwd2||Peak wave direction of second swell partition|Degree true|
140145|pwd3||Peak wave direction of third swell partition|Degree true|
140146|wcfr||Whitecap fraction|Fraction|
140147|bfi2d||Benjamin-Feir index 2D|Numeric|
140148|ctc||Crest-trough correlation|Numeric|
140149|xwrs||X component of the wave radiative stress to sea ice|N m**-2|
140150|ywrs||Y component of the wave radiative stress to sea ice|N m**-2|
140200|maxswh||Maximum of significant wave height|m|
140207|wss||Wave Spectral Skewness|Numeric|
140208|wstar||Free convective velocity over the oceans|m s**-1|
140209|rhoao||Air density over the oceans|kg m**-3|
140210|mswsi||Mean square wave strain in sea ice||
140211|phiaw||Normalized energy flux into waves|Numeric|
140212|phioc||Normalized energy flux into ocean|Numeric|
140213|tla||Turbulent Langmuir number||
140214|tauoc||Normalized stress into ocean|Numeric|
140215|ust||U-component surface stokes drift|m s**-1|
140216|vst||V-component surface stokes drift|m s**-1|
140217|tmax||Period corresponding to maximum individual wave height|s|
140218|hmax||Envelop-maximum individual wave height|m|
140219|wmb||Model bathymetry|m|
140220|mp1||Mean wave period based on first moment|s|
140221|mp2||Mean zero-crossing wave period|s|
140222|wdw||Wave spectral directional width|radians|
140223|p1ww||Mean wave period based on first moment for wind waves|s|
140224|p2ww||Mean wave period based on second moment for wind waves|s|
140225|dwww||Wave spectral directional width for wind waves|radians|
140226|p1ps||Mean wave period based on first moment for swell|s|
140227|p2ps||Mean wave period based on second moment for swell|s|
140228|dwps||Wave spectral directional width for swell|radians|
140229|swh||Significant height of combined wind waves and swell|m|
140230|mwd||Mean wave direction|Degree true|
140231|pp1d||Peak wave period|s|
140232|mwp||Mean wave period|s|
140233|cdww||Coefficient of drag with waves|dimensionless|
140234|shww||Significant height of wind waves|m|
140235|mdww||Mean direction of wind waves|degrees|
140236|mpww||Mean period of wind waves|s|
140237|shts||Significant height of total swell|m|
140238|mdts||Mean direction of total swell|degrees|
140239|mpts||Mean period of total swell|s|
140240|sdhs||Standard deviation wave height|m|
140241|mu10||Mean of 10 metre wind speed|m s**-1|
140242|mdwi||Mean wind direction|degrees|
140243|sdu||Standard deviation of 10 metre wind speed|m s**-1|
140244|msqs||Mean square slope of waves|dimensionless|
140245|wind||10 metre wind speed|m s**-1|
140246|awh||Altimeter wave height|m|
140247|acwh||Altimeter corrected wave height|m|
140248|arrc||Altimeter range relative correction||
140249|dwi||10 metre wind direction|degrees|
140250|2dsp|d2sp|2D wave spectra (multiple)|m**2 s radian**-1|
140251|2dfd|d2fd|2D wave spectra (single)|m**2 s radian**-1|
140252|wsk||Wave spectral kurtosis|dimensionless|
140253|bfi||Benjamin-Feir index|dimensionless|
140254|wsp||Wave spectral peakedness|dimensionless|
140255||p140255|Indicates a missing value||
141098|avg_weta||Time-mean wave induced mean sea level correction|m|
141099|avg_wraf||Time-mean ratio of wave angular and frequency width|Numeric|
141100|avg_wnslc||Time-mean number of events in freak waves statistics|Numeric|
141101|avg_utaua||Time-mean U-component of atmospheric surface momentum flux|N m**-2|
141102|avg_vtaua||Time-mean V-component of atmospheric surface momentum flux|N m**-2|
141103|avg_utauo||Time-mean U-component of surface momentum flux into ocean|N m**-2|
141104|avg_vtauo||Time-mean V-component of surface momentum flux into ocean|N m**-2|
141105|avg_wphio||Time-mean wave turbulent energy flux into ocean|W m**-2|
141106|avg_wdw1||Time-mean wave directional width of first swell partition|radians|
141107|avg_wfw1||Time-mean wave frequency width of first swell partition|dimensionless|
141108|avg_wdw2||Time-mean wave directional width of second swell partition|radians|
141109|avg_wfw2||Time-mean wave frequency width of second swell partition|dimensionless|
141110|avg_wdw3||Time-mean wave directional width of third swell partition|radians|
141111|avg_wfw3||Time-mean wave frequency width of third swell partition|dimensionless|
141112|avg_wefxm||Time-mean wave energy flux magnitude|W m**-1|
141113|avg_wefxd||Time-mean wave energy flux mean direction|Degree true|
141121|avg_swh1||Time-mean significant wave height of first swell partition|m|
141122|avg_mwd1||Time-mean mean wave direction of first swell partition|degrees|
141123|avg_mwp1||Time-mean mean wave period of first swell partition|s|
141124|avg_swh2||Time-mean significant wave height of second swell partition|m|
141125|avg_mwd2||Time-mean mean wave direction of second swell partition|degrees|
141126|avg_mwp2||Time-mean mean wave period of second swell partition|s|
141127|avg_swh3||Time-mean significant wave height of third swell partition|m|
141128|avg_mwd3||Time-mean mean wave direction of third swell partition|degrees|
141129|avg_mwp3||Time-mean mean wave period of third swell partition|s|
141131|avg_tdcmax||Time-mean time domain maximum individual crest height|m|
141132|avg_tdhmax||Time-mean time domain maximum individual wave height|m|
141133|avg_stcmax||Time-mean space time maximum individual crest height|m|
141134|avg_sthmax||Time-mean space time maximum individual wave height|m|
141135|avg_pp1dw||Time-mean peak wave period of wind waves|s|
141136|avg_pp1ds||Time-mean peak wave period of total swell|s|
141137|avg_pp1d1||Time-mean peak wave period of first swell partition|s|
141138|avg_pp1d2||Time-mean peak wave period of second swell partition|s|
141139|avg_pp1d3||Time-mean peak wave period of third swell partition|s|
141140|avg_pwd||Time-mean peak wave direction (total)|Degree true|
141141|avg_pwdw||Time-mean peak wave direction of wind waves|Degree true|
141142|avg_pwds||Time-mean peak wave direction of total swell|Degree true|
141143|avg_pwd1||Time-mean peak wave direction of first swell partition|Degree true|
141144|avg_pwd2||Time-mean peak wave direction of second swell partition|Degree true|
141145|avg_pwd3||Time-mean peak wave direction of third swell partition|Degree true|
141146|avg_wcfr||Time-mean whitecap fraction|Fraction|
141147|avg_bfi2d||Time-mean Benjamin-Feir index 2D|Numeric|
141148|avg_ctc||Time-mean crest-trough correlation|Numeric|
141149|avg_xwrs||Time-mean X component of the wave radiative stress to sea ice|N m**-2|
141150|avg_ywrs||Time-mean Y component of the wave radiative stress to sea ice|N m**-2|
141207|avg_wss||Time-mean wave Spectral Skewness|Numeric|
141208|avg_wstar||Time-mean free convective velocity over the oceans|m s**-1|
141209|avg_rhoao||Time-mean air density over the oceans|kg m**-3|
141211|avg_phiaw||Time-mean normalized energy flux into waves|Numeric|
141212|avg_phioc||Time-mean normalized energy flux into ocean|Numeric|
141214|avg_tauoc||Time-mean normalized stress into ocean|Numeric|
141215|avg_ust||Time-mean U-component surface stokes drift|m s**-1|
141216|avg_vst||Time-mean V-component surface stokes drift|m s**-1|
141217|avg_tmax||Time-mean period corresponding to maximum individual wave height|s|
141218|avg_hmax||Time-mean envelop-maximum individual wave height|m|
141220|avg_mp1||Time-mean mean wave period based on first moment|s|
141221|avg_mp2||Time-mean mean zero-crossing wave period|s|
141222|avg_wdw||Time-mean wave spectral directional width|radians|
141223|avg_p1ww||Time-mean mean wave period based on first moment for wind waves|s|
141224|avg_p2ww||Time-mean mean wave period based on second moment for wind waves|s|
141225|avg_dwww||Time-mean wave spectral directional width for wind waves|radians|
141226|avg_p1ps||Time-mean mean wave period based on first moment for swell|s|
141227|avg_p2ps||Time-mean mean wave period based on second moment for swell|s|
141228|avg_dwps||Time-mean wave spectral directional width for swell|radians|
141229|avg_swh||Time-mean significant height of combined wind waves and swell|m|
141230|avg_mwd||Time-mean mean wave direction|Degree true|
141231|avg_pp1d||Time-mean peak wave period|s|
141232|avg_mwp||Time-mean mean wave period|s|
141233|avg_cdww||Time-mean coefficient of drag with waves|dimensionless|
141234|avg_shww||Time-mean significant height of wind waves|m|
141235|avg_mdww||Time-mean mean direction of wind waves|degrees|
141236|avg_mpww||Time-mean mean period of wind waves|s|
141237|avg_shts||Time-mean significant height of total swell|m|
141238|avg_mdts||Time-mean mean direction of total swell|degrees|
141239|avg_mpts||Time-mean mean period of total swell|s|
141244|avg_msqs||Time-mean mean square slope of waves|dimensionless|
141245|avg_wind||Time-mean 10 metre wind speed|m s**-1|
141249|avg_dwi||Time-mean 10 metre wind direction|degrees|
141252|avg_wsk||Time-mean wave spectral kurtosis|dimensionless|
141253|avg_bfi||Time-mean benjamin-Feir index|dimensionless|
141254|avg_wsp||Time-mean wave spectral peakedness|dimensionless|
143098|max_weta||Time-maximum wave induced mean sea level correction|m|
143099|max_wraf||Time-maximum ratio of wave angular and frequency width|Numeric|
143100|max_wnslc||Time-maximum number of events in freak waves statistics|Numeric|
143101|max_utaua||Time-maximum U-component of atmospheric surface momentum flux|N m**-2|
143102|max_vtaua||Time-maximum V-component of atmospheric surface momentum flux|N m**-2|
143103|max_utauo||Time-maximum U-component of surface momentum flux into ocean|N m**-2|
143104|max_vtauo||Time-maximum V-component of surface momentum flux into ocean|N m**-2|
143105|max_wphio||Time-maximum wave turbulent energy flux into ocean|W m**-2|
143106|max_wdw1||Time-maximum wave directional width of first swell partition|radians|
143107|max_wfw1||Time-maximum wave frequency width of first swell partition|dimensionless|
143108|max_wdw2||Time-maximum wave directional width of second swell partition|radians|
143109|max_wfw2||Time-maximum wave frequency width of second swell partition|dimensionless|
143110|max_wdw3||Time-maximum wave directional width of third swell partition|radians|
143111|max_wfw3||Time-maximum wave frequency width of third swell partition|dimensionless|
143112|max_wefxm||Time-maximum wave energy flux magnitude|W m**-1|
143113|max_wefxd||Time-maximum wave energy flux mean direction|Degree true|
143121|max_swh1||Time-maximum significant wave height of first swell partition|m|
143122|max_mwd1||Time-maximum mean wave direction of first swell partition|degrees|
143123|max_mwp1||Time-maximum mean wave period of first swell partition|s|
143124|max_swh2||Time-maximum significant wave height of second swell partition|m|
143125|max_mwd2||Time-maximum mean wave direction of second swell partition|degrees|
143126|max_mwp2||Time-maximum mean wave period of second swell partition|s|
143127|max_swh3||Time-maximum significant wave height of third swell partition|m|
143128|max_mwd3||Time-maximum mean wave direction of third swell partition|degrees|
143129|max_mwp3||Time-maximum mean wave period of third swell partition|s|
143131|max_tdcmax||Time-maximum time domain maximum individual crest height|m|
143132|max_tdhmax||Time-maximum time domain maximum individual wave height|m|
143133|max_stcmax||Time-maximum space time maximum individual crest height|m|
143134|max_sthmax||Time-maximum space time maximum individual wave height|m|
143135|max_pp1dw||Time-maximum peak wave period of wind waves|s|
143136|max_pp1ds||Time-maximum peak wave period of total swell|s|
143137|max_pp1d1||Time-maximum peak wave period of first swell partition|s|
143138|max_pp1d2||Time-maximum peak wave period of second swell partition|s|
143139|max_pp1d3||Time-maximum peak wave period of third swell partition|s|
143140|max_pwd||Time-maximum peak wave direction (total)|Degree true|
143141|max_pwdw||Time-maximum peak wave direction of wind waves|Degree true|
143142|max_pwds||Time-maximum peak wave direction of total swell|Degree true|
143143|max_pwd1||Time-maximum peak wave direction of first swell partition|Degree true|
143144|max_pwd2||Time-maximum peak wave direction of second swell partition|Degree true|
143145|max_pwd3||Time-maximum peak wave direction of third swell partition|Degree true|
143146|max_wcfr||Time-maximum whitecap fraction|Fraction|
143147|max_bfi2d||Time-maximum Benjamin-Feir index 2D|Numeric|
143148|max_ctc||Time-maximum crest-trough correlation|Numeric|
143149|max_xwrs||Time-maximum X component of the wave radiative stress to sea ice|N m**-2|
143150|max_ywrs||Time-maximum Y component of the wave radiative stress to sea ice|N m**-2|
143207|max_wss||Time-maximum wave Spectral Skewness|Numeric|
143208|max_wstar||Time-maximum free convective velocity over the oceans|m s**-1|
143209|max_rhoao||Time-maximum air density over the oceans|kg m**-3|
143211|max_phiaw||Time-maximum normalized energy flux into waves|Numeric|
143212|max_phioc||Time-maximum normalized energy flux into ocean|Numeric|
143214|max_tauoc||Time-maximum normalized stress into ocean|Numeric|
143215|max_ust||Time-maximum U-component surface stokes drift|m s**-1|
143216|max_vst||Time-maximum V-component surface stokes drift|m s**-1|
143217|max_tmax||Time-maximum period corresponding to maximum individual wave height|s|
143218|max_hmax||Time-maximum envelop-maximum individual wave height|m|
143220|max_mp1||Time-maximum mean wave period based on first moment|s|
143221|max_mp2||Time-maximum mean zero-crossing wave period|s|
143222|max_wdw||Time-maximum wave spectral directional width|radians|
143223|max_p1ww||Time-maximum mean wave period based on first moment for wind waves|s|
143224|max_p2ww||Time-maximum mean wave period based on second moment for wind waves|s|
143225|max_dwww||Time-maximum wave spectral directional width for wind waves|radians|
143226|max_p1ps||Time-maximum mean wave period based on first moment for swell|s|
143227|max_p2ps||Time-maximum mean wave period based on second moment for swell|s|
143228|max_dwps||Time-maximum wave spectral directional width for swell|radians|
143229|max_swh||Time-maximum significant height of combined wind waves and swell|m|
143230|max_mwd||Time-maximum mean wave direction|Degree true|
143231|max_pp1d||Time-maximum peak wave period|s|
143232|max_mwp||Time-maximum mean wave period|s|
143233|max_cdww||Time-maximum coefficient of drag with waves|dimensionless|
143234|max_shww||Time-maximum significant height of wind waves|m|
143235|max_mdww||Time-maximum mean direction of wind waves|degrees|
143236|max_mpww||Time-maximum mean period of wind waves|s|
143237|max_shts||Time-maximum significant height of total swell|m|
143238|max_mdts||Time-maximum mean direction of total swell|degrees|
143239|max_mpts||Time-maximum mean period of total swell|s|
143244|max_msqs||Time-maximum mean square slope of waves|dimensionless|
143245|max_wind||Time-maximum 10 metre wind speed|m s**-1|
143249|max_dwi||Time-maximum 10 metre wind direction|degrees|
143252|max_wsk||Time-maximum wave spectral kurtosis|dimensionless|
143253|max_bfi||Time-maximum benjamin-Feir index|dimensionless|
143254|max_wsp||Time-maximum wave spectral peakedness|dimensionless|
144098|min_weta||Time-minimum wave induced mean sea level correction|m|
144099|min_wraf||Time-minimum ratio of wave angular and frequency width|Numeric|
144100|min_wnslc||Time-minimum number of events in freak waves statistics|Numeric|
144101|min_utaua||Time-minimum U-component of atmospheric surface momentum flux|N m**-2|
144102|min_vtaua||Time-minimum V-component of atmospheric surface momentum flux|N m**-2|
144103|min_utauo||Time-minimum U-component of surface momentum flux into ocean|N m**-2|
144104|min_vtauo||Time-minimum V-component of surface momentum flux into ocean|N m**-2|
144105|min_wphio||Time-minimum wave turbulent energy flux into ocean|W m**-2|
144106|min_wdw1||Time-minimum wave directional width of first swell partition|radians|
144107|min_wfw1||Time-minimum wave frequency width of first swell partition|dimensionless|
144108|min_wdw2||Time-minimum wave directional width of second swell partition|radians|
144109|min_wfw2||Time-minimum wave frequency width of second swell partition|dimensionless|
144110|min_wdw3||Time-minimum wave directional width of third swell partition|radians|
144111|min_wfw3||Time-minimum wave frequency width of third swell partition|dimensionless|
144112|min_wefxm||Time-minimum wave energy flux magnitude|W m**-1|
144113|min_wefxd||Time-minimum wave energy flux mean direction|Degree true|
144121|min_swh1||Time-minimum significant wave height of first swell partition|m|
144122|min_mwd1||Time-minimum mean wave direction of first swell partition|degrees|
144123|min_mwp1||Time-minimum mean wave period of first swell partition|s|
144124|min_swh2||Time-minimum significant wave height of second swell partition|m|
144125|min_mwd2||Time-minimum mean wave direction of second swell partition|degrees|
144126|min_mwp2||Time-minimum mean wave period of second swell partition|s|
144127|min_swh3||Time-minimum significant wave height of third swell partition|m|
144128|min_mwd3||Time-minimum mean wave direction of third swell partition|degrees|
144129|min_mwp3||Time-minimum mean wave period of third swell partition|s|
144131|min_tdcmax||Time-minimum time domain maximum individual crest height|m|
144132|min_tdhmax||Time-minimum time domain maximum individual wave height|m|
144133|min_stcmax||Time-minimum space time maximum individual crest height|m|
144134|min_sthmax||Time-minimum space time maximum individual wave height|m|
144135|min_pp1dw||Time-minimum peak wave period of wind waves|s|
144136|min_pp1ds||Time-minimum peak wave period of total swell|s|
144137|min_pp1d1||Time-minimum peak wave period of first swell partition|s|
144138|min_pp1d2||Time-minimum peak wave period of second swell partition|s|
144139|min_pp1d3||Time-minimum peak wave period of third swell partition|s|
144140|min_pwd||Time-minimum peak wave direction (total)|Degree true|
144141|min_pwdw||Time-minimum peak wave direction of wind waves|Degree true|
144142|min_pwds||Time-minimum peak wave direction of total swell|Degree true|
144143|min_pwd1||Time-minimum peak wave direction of first swell partition|Degree true|
144144|min_pwd2||Time-minimum peak wave direction of second swell partition|Degree true|
144145|min_pwd3||Time-minimum peak wave direction of third swell partition|Degree true|
144146|min_wcfr||Time-minimum whitecap fraction|Fraction|
144147|min_bfi2d||Time-minimum Benjamin-Feir index 2D|Numeric|
144148|min_ctc||Time-minimum crest-trough correlation|Numeric|
144149|min_xwrs||Time-minimum X component of the wave radiative stress to sea ice|N m**-2|
144150|min_ywrs||Time-minimum Y component of the wave radiative stress to sea ice|N m**-2|
144207|min_wss||Time-minimum wave Spectral Skewness|Numeric|
144208|min_wstar||Time-minimum free convective velocity over the oceans|m s**-1|
144209|min_rhoao||Time-minimum air density over the oceans|kg m**-3|
144211|min_phiaw||Time-minimum normalized energy flux into waves|Numeric|
144212|min_phioc||Time-minimum normalized energy flux into ocean|Numeric|
144214|min_tauoc||Time-minimum normalized stress into ocean|Numeric|
144215|min_ust||Time-minimum U-component surface stokes drift|m s**-1|
144216|min_vst||Time-minimum V-component surface stokes drift|m s**-1|
144217|min_tmax||Time-minimum period corresponding to maximum individual wave height|s|
144218|min_hmax||Time-minimum envelop-maximum individual wave height|m|
144220|min_mp1||Time-minimum mean wave period based on first moment|s|
144221|min_mp2||Time-minimum mean zero-crossing wave period|s|
144222|min_wdw||Time-minimum wave spectral directional width|radians|
144223|min_p1ww||Time-minimum mean wave period based on first moment for wind waves|s|
144224|min_p2ww||Time-minimum mean wave period based on second moment for wind waves|s|
144225|min_dwww||Time-minimum wave spectral directional width for wind waves|radians|
144226|min_p1ps||Time-minimum mean wave period based on first moment for swell|s|
144227|min_p2ps||Time-minimum mean wave period based on second moment for swell|s|
144228|min_dwps||Time-minimum wave spectral directional width for swell|radians|
144229|min_swh||Time-minimum significant height of combined wind waves and swell|m|
144230|min_mwd||Time-minimum mean wave direction|Degree true|
144231|min_pp1d||Time-minimum peak wave period|s|
144232|min_mwp||Time-minimum mean wave period|s|
144233|min_cdww||Time-minimum coefficient of drag with waves|dimensionless|
144234|min_shww||Time-minimum significant height of wind waves|m|
144235|min_mdww||Time-minimum mean direction of wind waves|degrees|
144236|min_mpww||Time-minimum mean period of wind waves|s|
144237|min_shts||Time-minimum significant height of total swell|m|
144238|min_mdts||Time-minimum mean direction of total swell|degrees|
144239|min_mpts||Time-minimum mean period of total swell|s|
144244|min_msqs||Time-minimum mean square slope of waves|dimensionless|
144245|min_wind||Time-minimum 10 metre wind speed|m s**-1|
144249|min_dwi||Time-minimum 10 metre wind direction|degrees|
144252|min_wsk||Time-minimum wave spectral kurtosis|dimensionless|
144253|min_bfi||Time-minimum benjamin-Feir index|dimensionless|
144254|min_wsp||Time-minimum wave spectral peakedness|dimensionless|
145098|std_weta||Time-standard-deviation wave induced mean sea level correction|m|
145099|std_wraf||Time-standard-deviation ratio of wave angular and frequency width|Numeric|
145100|std_wnslc||Time-standard-deviation number of events in freak waves statistics|Numeric|
145101|std_utaua||Time-standard-deviation U-component of atmospheric surface momentum flux|N m**-2|
145102|std_vtaua||Time-standard-deviation V-component of atmospheric surface momentum flux|N m**-2|
145103|std_utauo||Time-standard-deviation U-component of surface momentum flux into ocean|N m**-2|
145104|std_vtauo||Time-standard-deviation V-component of surface momentum flux into ocean|N m**-2|
145105|std_wphio||Time-standard-deviation wave turbulent energy flux into ocean|W m**-2|
145106|std_wdw1||Time-standard-deviation wave directional width of first swell partition|radians|
145107|std_wfw1||Time-standard-deviation wave frequency width of first swell partition|dimensionless|
145108|std_wdw2||Time-standard-deviation wave directional width of second swell partition|radians|
145109|std_wfw2||Time-standard-deviation wave frequency width of second swell partition|dimensionless|
145110|std_wdw3||Time-standard-deviation wave directional width of third swell partition|radians|
145111|std_wfw3||Time-standard-deviation wave frequency width of third swell partition|dimensionless|
145112|std_wefxm||Time-standard-deviation wave energy flux magnitude|W m**-1|
145113|std_wefxd||Time-standard-deviation wave energy flux mean direction|Degree true|
145121|std_swh1||Time-standard-deviation significant wave height of first swell partition|m|
145122|std_mwd1||Time-standard-deviation mean wave direction of first swell partition|degrees|
145123|std_mwp1||Time-standard-deviation mean wave period of first swell partition|s|
145124|std_swh2||Time-standard-deviation significant wave height of second swell partition|m|
145125|std_mwd2||Time-standard-deviation mean wave direction of second swell partition|degrees|
145126|std_mwp2||Time-standard-deviation mean wave period of second swell partition|s|
145127|std_swh3||Time-standard-deviation significant wave height of third swell partition|m|
145128|std_mwd3||Time-standard-deviation mean wave direction of third swell partition|degrees|
145129|std_mwp3||Time-standard-deviation mean wave period of third swell partition|s|
145131|std_tdcmax||Time-standard-deviation time domain maximum individual crest height|m|
145132|std_tdhmax||Time-standard-deviation time domain maximum individual wave height|m|
145133|std_stcmax||Time-standard-deviation space time maximum individual crest height|m|
145134|std_sthmax||Time-standard-deviation space time maximum individual wave height|m|
145135|std_pp1dw||Time-standard-deviation peak wave period of wind waves|s|
145136|std_pp1ds||Time-standard-deviation peak wave period of total swell|s|
145137|std_pp1d1||Time-standard-deviation peak wave period of first swell partition|s|
145138|std_pp1d2||Time-standard-deviation peak wave period of second swell partition|s|
145139|std_pp1d3||Time-standard-deviation peak wave period of third swell partition|s|
145140|std_pwd||Time-standard-deviation peak wave direction (total)|Degree true|
145141|std_pwdw||Time-standard-deviation peak wave direction of wind waves|Degree true|
145142|std_pwds||Time-standard-deviation peak wave direction of total swell|Degree true|
145143|std_pwd1||Time-standard-deviation peak wave direction of first swell partition|Degree true|
145144|std_pwd2||Time-standard-deviation peak wave direction of second swell partition|Degree true|
145145|std_pwd3||Time-standard-deviation peak wave direction of third swell partition|Degree true|
145146|std_wcfr||Time-standard-deviation whitecap fraction|Fraction|
145147|std_bfi2d||Time-standard-deviation Benjamin-Feir index 2D|Numeric|
145148|std_ctc||Time-standard-deviation crest-trough correlation|Numeric|
145149|std_xwrs||Time-standard-deviation X component of the wave radiative stress to sea ice|N m**-2|
145150|std_ywrs||Time-standard-deviation Y component of the wave radiative stress to sea ice|N m**-2|
145207|std_wss||Time-standard-deviation wave Spectral Skewness|Numeric|
145208|std_wstar||Time-standard-deviation free convective velocity over the oceans|m s**-1|
145209|std_rhoao||Time-standard-deviation air density over the oceans|kg m**-3|
145211|std_phiaw||Time-standard-deviation normalized energy flux into waves|Numeric|
145212|std_phioc||Time-standard-deviation normalized energy flux into ocean|Numeric|
145214|std_tauoc||Time-standard-deviation normalized stress into ocean|Numeric|
145215|std_ust||Time-standard-deviation U-component surface stokes drift|m s**-1|
145216|std_vst||Time-standard-deviation V-component surface stokes drift|m s**-1|
145217|std_tmax||Time-standard-deviation period corresponding to maximum individual wave height|s|
145218|std_hmax||Time-standard-deviation envelop-maximum individual wave height|m|
145220|std_mp1||Time-standard-deviation mean wave period based on first moment|s|
145221|std_mp2||Time-standard-deviation mean zero-crossing wave period|s|
145222|std_wdw||Time-standard-deviation wave spectral directional width|radians|
145223|std_p1ww||Time-standard-deviation mean wave period based on first moment for wind waves|s|
145224|std_p2ww||Time-standard-deviation mean wave period based on second moment for wind waves|s|
145225|std_dwww||Time-standard-deviation wave spectral directional width for wind waves|radians|
145226|std_p1ps||Time-standard-deviation mean wave period based on first moment for swell|s|
145227|std_p2ps||Time-standard-deviation mean wave period based on second moment for swell|s|
145228|std_dwps||Time-standard-deviation wave spectral directional width for swell|radians|
145229|std_swh||Time-standard-deviation significant height of combined wind waves and swell|m|
145230|std_mwd||Time-standard-deviation mean wave direction|Degree true|
145231|std_pp1d||Time-standard-deviation peak wave period|s|
145232|std_mwp||Time-standard-deviation mean wave period|s|
145233|std_cdww||Time-standard-deviation coefficient of drag with waves|dimensionless|
145234|std_shww||Time-standard-deviation significant height of wind waves|m|
145235|std_mdww||Time-standard-deviation mean direction of wind waves|degrees|
145236|std_mpww||Time-standard-deviation mean period of wind waves|s|
145237|std_shts||Time-standard-deviation significant height of total swell|m|
145238|std_mdts||Time-standard-deviation mean direction of total swell|degrees|
145239|std_mpts||Time-standard-deviation mean period of total swell|s|
145244|std_msqs||Time-standard-deviation mean square slope of waves|dimensionless|
145245|std_wind||Time-standard-deviation 10 metre wind speed|m s**-1|
145249|std_dwi||Time-standard-deviation 10 metre wind direction|degrees|
145252|std_wsk||Time-standard-deviation wave spectral kurtosis|dimensionless|
145253|std_bfi||Time-standard-deviation benjamin-Feir index|dimensionless|
145254|std_wsp||Time-standard-deviation wave spectral peakedness|dimensionless|
151128||p151128|In situ Temperature|deg C|
151129|thetao||Sea water potential temperature|deg C|sea_water_potential_temperature
151130|so||Sea water practical salinity|psu|sea_water_practical_salinity
151131|ocu|uoe|Eastward surface sea water velocity|m s**-1|eastward_sea_water_velocity
151132|ocv|von|Northward surface sea water velocity|m s**-1|northward_sea_water_velocity
151133|wo||Upward sea water velocity|m s**-1|upward_sea_water_velocity
151134|mst||Modulus of strain rate tensor|s**-1|
151135|vvs||Vertical viscosity|m**2 s**-1|
151136|vdf||Vertical diffusivity|m**2 s**-1|
151137|dep||Bottom level Depth|m|
151138|sigmat||Sea water sigma theta|kg m**-3|sea_water_sigma_theta
151139|rn||Richardson number||
151140|uv||UV product|m**2 s**-2|
151141|ut||UT product|m s**-1 degC|
151142|vt||VT product|m s**-1 deg C|
151143|uu||UU product|m**2 s**-2|
151144|vv||VV product|m**2 s**-2|
151145|zos||Sea surface height|m|sea_surface_height_above_geoid
151146|sl_1||Sea level previous timestep|m|
151147|stfbarot||Ocean barotropic stream function|m**3 s**-1|ocean_barotropic_streamfunction
151148|mld||Mixed layer depth|m|
151149|btp||Bottom Pressure (equivalent height)|m|
151150|sh||Steric height|m|
151151|crl||Curl of Wind Stress|N m**-3|
151152||p151152|Divergence of wind stress|Nm**-3|
151153|taueo||Surface downward eastward stress|N m**-2|surface_downward_eastward_stress
151154|tauno||Surface downward northward stress|N m**-2|surface_downward_northward_stress
151155|tki||Turbulent kinetic energy input|J m**-2|
151156|nsf||Net surface heat flux|J m**-2|
151157|asr||Absorbed solar radiation|J m**-2|
151158|pme||Precipitation - evaporation|m s**-1|
151159|sst||Specified sea surface temperature|deg C|
151160|shf||Specified surface heat flux|J m**-2|
151161|dte||Diagnosed sea surface temperature error|deg C|
151162|hfc||Heat flux correction|J m**-2|
151163|t20d||Depth of 20C isotherm|m|depth_of_isosurface_of_sea_water_potential_temperature
151164|tav300||Average potential temperature in the upper 300m|degrees C|
151165|uba1||Vertically integrated zonal velocity (previous time step)|m**2 s**-1|
151166|vba1||Vertically Integrated meridional velocity (previous time step)|m**2 s**-1|
151167|ztr||Vertically integrated zonal volume transport|m**2 s**-1|
151168|mtr||Vertically integrated meridional volume transport|m**2 s**-1|
151169|zht||Vertically integrated zonal heat transport|J m**-1 s**-1|
151170|mht||Vertically integrated meridional heat transport|J m**-1 s**-1|
151171|umax||U velocity maximum|m s**-1|
151172|dumax||Depth of the velocity maximum|m|
151173|smax||Salinity maximum|psu|
151174|dsmax||Depth of salinity maximum|m|
151175|sav300||Average sea water practical salinity in the upper 300m|psu|
151176|ldp||Layer Thickness at scalar points|m|
151177|ldu||Layer Thickness at vector points|m|
151178|pti||Potential temperature increment|deg C|
151179|ptae||Potential temperature analysis error|deg C|
151180|bpt||Background potential temperature|deg C|
151181|apt||Analysed potential temperature|deg C|
151182|ptbe||Potential temperature background error|deg C|
151183|as||Analysed salinity|psu|
151184|sali||Salinity increment|psu|
151185|ebt||Estimated Bias in Temperature|deg C|
151186|ebs||Estimated Bias in Salinity|psu|
151187|uvi||Zonal Velocity increment (from balance operator)|m s**-1 per time step|
151188|vvi||Meridional Velocity increment (from balance operator)||
151190|subi||Salinity increment (from salinity data)|psu per time step|
151191|sale||Salinity analysis error|psu|
151192|bsal||Background Salinity|psu|
151193||p151193|Reserved||
151194|salbe||Salinity background error|psu|
151199|ebta||Estimated temperature bias from assimilation|deg C|
151200|ebsa||Estimated salinity bias from assimilation|psu|
151201|lti||Temperature increment from relaxation term|deg C per time step|
151202|lsi||Salinity increment from relaxation term||
151203|bzpga||Bias in the zonal pressure gradient (applied)|Pa m**-1|
151204|bmpga||Bias in the meridional pressure gradient (applied)|Pa m**-1|
151205|ebtl||Estimated temperature bias from relaxation|deg C|
151206|ebsl||Estimated salinity bias from relaxation|psu|
151207|fgbt||First guess bias in temperature|deg C|
151208|fgbs||First guess bias in salinity|psu|
151209|bpa||Applied bias in pressure|Pa|
151210|fgbp||FG bias in pressure|Pa|
151211|pta||Bias in temperature(applied)|deg C|
151212|psa||Bias in salinity (applied)|psu|
151255||p151255|Indicates a missing value||
160198|srcon||Skin reservoir content|kg m**-2|
160199|vegrea||Percentage of vegetation|%|
162045|wvf||Water vapour flux|kg m**-1 s**-1|
162051||p162051|Surface geopotential|m**2 s**-2|
162053|vima||Total column vertically-integrated mass of atmosphere|kg m**-2|
162054|vit||Total column vertically-integrated temperature|K kg m**-2|
162055|viwv||Total column vertically-integrated water vapour|kg m**-2|
162056|vilw||Total column vertically-integrated cloud liquid water|kg m**-2|
162057|viiw||Total column vertically-integrated cloud frozen water|kg m**-2|
162058|vioz||Total column vertically-integrated ozone|kg m**-2|
162059|vike||Total column vertically-integrated kinetic energy|J m**-2|
162060|vithe||Total column vertically-integrated enthalpy|J m**-2|
162061|vipie||Total column vertically-integrated potential + internal energy|J m**-2|
162062|vipile||Total column vertically-integrated potential+internal+latent energy|J m**-2|
162063|vitoe||Total column vertically-integrated total energy|J m**-2|
162064|viec||Total column vertically-integrated energy conversion|W m**-2|
162065|vimae||Total column vertically-integrated eastward mass flux|kg m**-1 s**-1|
162066|viman||Total column vertically-integrated northward mass flux|kg m**-1 s**-1|
162067|vikee||Total column vertically-integrated eastward kinetic energy flux|W m**-1|
162068|viken||Total column vertically-integrated northward kinetic energy flux|W m**-1|
162069|vithee||Total column vertically-integrated eastward heat flux|W m**-1|
162070|vithen||Total column vertically-integrated northward heat flux|W m**-1|
162071|viwve||Total column vertically-integrated eastward water vapour flux|kg m**-1 s**-1|
162072|viwvn||Total column vertically-integrated northward water vapour flux|kg m**-1 s**-1|
162073|vige||Total column vertically-integrated eastward geopotential flux|W m**-1|
162074|vign||Total column vertically-integrated northward geopotential flux|W m**-1|
162075|vitee||Total column vertically-integrated eastward total energy flux|W m**-1|
162076|viten||Total column vertically-integrated northward total energy flux|W m**-1|
162077|vioze||Total column vertically-integrated eastward ozone flux|kg m**-1 s**-1|
162078|viozn||Total column vertically-integrated northward ozone flux|kg m**-1 s**-1|
162079|vilwd||Total column vertically-integrated divergence of cloud liquid water flux|kg m**-2 s**-1|
162080|viiwd||Total column vertically-integrated divergence of cloud frozen water flux|kg m**-2 s**-1|
162081|vimad||Total column vertically-integrated divergence of mass flux|kg m**-2 s**-1|
162082|viked||Total column vertically-integrated divergence of kinetic energy flux|W m**-2|
162083|vithed||Total column vertically-integrated divergence of thermal energy flux|W m**-2|
162084|vimdf||Total column vertically-integrated moisture divergence flux|kg m**-2 s**-1|
162085|vigd||Total column vertically-integrated divergence of geopotential flux|W m**-2|
162086|vited||Total column vertically-integrated divergence of total energy flux|W m**-2|
162087|viozd||Total column vertically-integrated divergence of ozone flux|kg m**-2 s**-1|
162088|vilwe||Total column vertically-integrated eastward cloud liquid water flux|kg m**-1 s**-1|
162089|vilwn||Total column vertically-integrated northward cloud liquid water flux|kg m**-1 s**-1|
162090|viiwe||Total column vertically-integrated eastward cloud frozen water flux|kg m**-1 s**-1|
162091|viiwn||Total column vertically-integrated northward cloud frozen water flux|kg m**-1 s**-1|
162092|vimat||Total column vertically-integrated mass tendency|kg m**-2 s**-1|
162100|srta||Time-integrated temperature tendency due to short-wave radiation|K|
162101|trta||Time-integrated temperature tendency due to long-wave radiation|K|
162102|srtca||Time-integrated temperature tendency due to short wave radiation, clear sky|K|
162103|trtca||Time-integrated temperature tendency due to long-wave radiation, clear sky|K|
162104|umfa||Time-integrated updraught mass flux|kg m**-2|
162105|dmfa||Time-integrated downdraught mass flux|kg m**-2|
162106|udra||Time-integrated updraught detrainment rate|kg m**-3|
162107|ddra||Time-integrated downdraught detrainment rate|kg m**-3|
162108|tpfa||Time-integrated total precipitation flux|kg m**-2|
162109|tdcha||Time-integrated turbulent diffusion coefficient for heat|m**2|
162110|ttpha||Time-integrated temperature tendency due to parametrisations|K|
162111|qtpha||Time-integrated specific humidity tendency due to parametrisations|kg kg**-1|
162112|utpha||Time-integrated eastward wind tendency due to parametrisations|m s**-1|
162113|vtpha||Time-integrated northward wind tendency due to parametrisations|m s**-1|
162114|utendd||U-tendency from dynamics|m s**-1|
162115|vtendd||V-tendency from dynamics|m s**-1|
162116|ttendd||T-tendency from dynamics|K|
162117|qtendd||q-tendency from dynamics|kg kg**-1|
162118|ttendr||T-tendency from radiation|K|
162119|utendts||U-tendency from turbulent diffusion + subgrid orography|m s**-1|
162120|vtendts||V-tendency from turbulent diffusion + subgrid orography|m s**-1|
162121|ttendts||T-tendency from turbulent diffusion + subgrid orography|K|
162122|qtendt||q-tendency from turbulent diffusion|kg kg**-1|
162123|utends||U-tendency from subgrid orography|m s**-1|
162124|vtends||V-tendency from subgrid orography|m s**-1|
162125|ttends||T-tendency from subgrid orography|K|
162126|utendcds||U-tendency from convection (deep+shallow)|m s**-1|
162127|vtendcds||V-tendency from convection (deep+shallow)|m s**-1|
162128|ttendcds||T-tendency from convection (deep+shallow)|K|
162129|qtendcds||q-tendency from convection (deep+shallow)|kg kg**-1|
162130|lpc||Liquid Precipitation flux from convection|kg m**-2|
162131|ipc||Ice Precipitation flux from convection|kg m**-2|
162132|ttendcs||T-tendency from cloud scheme|K|
162133|qtendcs||q-tendency from cloud scheme|kg kg**-1|
162134|qltendcs||ql-tendency from cloud scheme|kg kg**-1|
162135|qitendcs||qi-tendency from cloud scheme|kg kg**-1|
162136|lpcs||Liquid Precip flux from cloud scheme (stratiform)|kg m**-2|
162137|ipcs||Ice Precip flux from cloud scheme (stratiform)|kg m**-2|
162138|utendcs||U-tendency from shallow convection|m s**-1|
162139|vtendcs||V-tendency from shallow convection|m s**-1|
162140|ttendsc||T-tendency from shallow convection|K|
162141|qtendsc||q-tendency from shallow convection|kg kg**-1|
162206||p162206|Variance of geopotential|m**4 s**-4|
162207||p162207|Covariance of geopotential/temperature|m**2 K s**-2|
162208||p162208|Variance of temperature|K**2|
162209||p162209|Covariance of geopotential/specific humidity|m**2 s**-2|
162210||p162210|Covariance of temperature/specific humidity|K|
162211||p162211|Variance of specific humidity||
162212||p162212|Covariance of u component/geopotential|m**3 s**-3|
162213||p162213|Covariance of u component/temperature|m s**-1 K|
162214||p162214|Covariance of u component/specific humidity|m s**-1|
162215||p162215|Variance of u component|m**2 s**-2|
162216||p162216|Covariance of v component/geopotential|m**3 s**-3|
162217||p162217|Covariance of v component/temperature|m s**-1 K|
162218||p162218|Covariance of v component/specific humidity|m s**-1|
162219||p162219|Covariance of v component/u component|m**2 s**-2|
162220||p162220|Variance of v component|m**2 s**-2|
162221||p162221|Covariance of omega/geopotential|m**2 Pa s**-3|
162222||p162222|Covariance of omega/temperature|Pa s**-1 K|
162223||p162223|Covariance of omega/specific humidity|Pa s**-1|
162224||p162224|Covariance of omega/u component|m Pa s**-2|
162225||p162225|Covariance of omega/v component|m Pa s**-2|
162226||p162226|Variance of omega|Pa**2 s**-2|
162227||p162227|Variance of surface pressure|Pa**2|
162229||p162229|Variance of relative humidity|dimensionless|
162230||p162230|Covariance of u component/ozone|m s**-1|
162231||p162231|Covariance of v component/ozone|m s**-1|
162232||p162232|Covariance of omega/ozone|Pa s**-1|
162233||p162233|Variance of ozone|dimensionless|
162255||p162255|Indicates a missing value||
172008|msror||Time-mean surface runoff rate|m s**-1|
172009|mssror||Time-mean sub-surface runoff rate|m s**-1|
172142|mlsprt||Time-mean large-scale precipitation rate|m s**-1|
172143|cprate||Time-mean convective precipitation rate|m s**-1|
172144|mtsfr||Time-mean total snowfall rate|m of water equivalent s**-1|
172182|erate||Time-mean evaporation rate|m of water equivalent s**-1|
172205|mrort||Time-mean runoff rate|m s**-1|
172228|tprate||Time-mean total precipitation rate|m s**-1|
174008|sro||Surface runoff|kg m**-2|
174096|2sh|sh2|2 metre specific humidity|kg kg**-1|specific_humidity
210060|injh||Injection height (from IS4FIRES)|m|
210099|frpfire||Wildfire radiative power density|W m**-2|
210100|crfire||Wildfire combustion rate|kg m**-2 s**-1|
210119|mami||Mean height of maximum injection|m|
210120|apt||Plume top height above surface|m|
210242|apb||Plume bottom height above surface|m|
214001|cossza||Cosine of solar zenith angle|Numeric|
214002|uvbed||UV biologically effective dose||
214003|uvbedcs||UV biologically effective dose clear-sky||
228001|cin||Convective inhibition|J kg**-1|
228002|orog||Orography|m|geopotential_height
228003|zust||Friction velocity|m s**-1|
228004|avg_2t||Time-mean 2 metre temperature|K|
228005|avg_10ws||Time-mean 10 metre wind speed|m s**-1|
228006|meantcc||Mean total cloud cover|(0 - 1)|
228007|dl||Lake total depth|m|
228008|lmlt||Lake mix-layer temperature|K|
228009|lmld||Lake mix-layer depth|m|
228010|lblt||Lake bottom temperature|K|
228011|ltlt||Lake total layer temperature|K|
228012|lshf||Lake shape factor|dimensionless|
228013|lict||Lake ice surface temperature|K|
228014|licd||Lake ice total depth|m|
228015|dndzn||Minimum vertical gradient of refractivity inside trapping layer|m**-1|
228016|dndza||Mean vertical gradient of refractivity inside trapping layer|m**-1|
228017|dctb||Duct base height|m|
228018|tplb||Trapping layer base height|m|
228019|tplt||Trapping layer top height|m|
228020|degm10l||Geometric height of -10 degrees C atmospheric isothermal level above ground|m|
228021|fdir||Surface direct short-wave (solar) radiation|J m**-2|
228022|cdir||Surface direct short-wave radiation, clear sky|J m**-2|
228023|cbh||Cloud base height|m|
228024|deg0l||Geometric height of 0 degrees C atmospheric isothermal level above ground|m|
228025|hvis||Horizontal visibility|m|
228026|mx2t3||Maximum temperature at 2 metres in the last 3 hours|K|
228027|mn2t3||Minimum temperature at 2 metres in the last 3 hours|K|
228028|10fg3|fg10_3|Maximum 10 metre wind gust in the last 3 hours|m s**-1|
228029|i10fg||Instantaneous 10 metre wind gust|m s**-1|
228030|rhw||Relative humidity with respect to water|%|
228031|rhi||Relative humidity with respect to ice|%|
228032|asn||Snow albedo|%|
228034|fcpc||Fraction of convective precipitation cover|Proportion|
228037|2rhw|rhw2|2 metre relative humidity with respect to water|%|
228038|lwcs||Liquid water content in snow pack|kg m**-2|
228039|sm||Soil moisture|kg m**-3|
228040|swi1||Soil wetness index in layer 1|dimensionless|
228041|swi2||Soil wetness index in layer 2|dimensionless|
228042|swi3||Soil wetness index in layer 3|dimensionless|
228043|swi4||Soil wetness index in layer 4|dimensionless|
228044|capes||Convective available potential energy shear|m**2 s**-2|
228045|trpp||Tropopause pressure|Pa|
228046|hcct||Height of convective cloud top|m|
228047|hwbt0||Height of zero-degree wet-bulb temperature|m|
228048|hwbt1||Height of one-degree wet-bulb temperature|m|
228050|litoti||Instantaneous total lightning flash density|km**-2 day**-1|
228051|litota1||Averaged total lightning flash density in the last hour|km**-2 day**-1|
228052|licgi||Instantaneous cloud-to-ground lightning flash density|km**-2 day**-1|
228053|licga1||Averaged cloud-to-ground lightning flash density in the last hour|km**-2 day**-1|
228054|ucq||Unbalanced component of specific humidity|kg kg**-1|
228055|ucclwc||Unbalanced component of specific cloud liquid water content|kg kg**-1|
228056|ucciwc||Unbalanced component of specific cloud ice water content|kg kg**-1|
228070|smnnob||SMOS observed soil moisture retrieved using neural network|m**3 m**-3|
228071|smnner||SMOS observed soil moisture uncertainty retrieved using neural network|m**3 m**-3|
228072|smnnrfi||SMOS radio frequency interference probability|%|
228073|smnnnb||SMOS number of observations per grid point|dimensionless|
228074|smnntim||SMOS observation time for the satellite soil moisture data|hour|
228078|gppbfas||GPP coefficient from Biogenic Flux Adjustment System|dimensionless|
228079|recbfas||Rec coefficient from Biogenic Flux Adjustment System|dimensionless|
228080|aco2nee||Accumulated Carbon Dioxide Net Ecosystem Exchange|kg m**-2|
228081|aco2gpp||Accumulated Carbon Dioxide Gross Primary Production|kg m**-2|
228082|aco2rec||Accumulated Carbon Dioxide Ecosystem Respiration|kg m**-2|
228083|fco2nee||Carbon dioxide net ecosystem exchange flux|kg m**-2 s**-1|
228084|fco2gpp||Carbon dioxide gross primary production flux|kg m**-2 s**-1|
228085|fco2rec||Carbon dioxide ecosystem respiration flux|kg m**-2 s**-1|
228088|tcslw||Total column supercooled liquid water|kg m**-2|
228089|tcrw||Total column rain water|kg m**-2|
228090|tcsw||Total column snow water|kg m**-2|
228091|ccf||Canopy cover fraction|(0 - 1)|
228092|stf||Soil texture fraction|(0 - 1)|
228093|swv||Volumetric soil moisture|m**3 m**-3|
228094|ist||Ice temperature|K|
228100|evatc||Evaporation from the top of canopy|m of water equivalent|
228101|evabs||Evaporation from bare soil|m of water equivalent|
228102|evaow||Evaporation from open water surfaces excluding oceans|m of water equivalent|
228103|evavt||Evaporation from vegetation transpiration|m of water equivalent|
228129|ssrdc||Surface short-wave (solar) radiation downward clear-sky|J m**-2|
228130|strdc||Surface long-wave (thermal) radiation downward clear-sky|J m**-2|
228131|u10n||10 metre u-component of neutral wind|m s**-1|
228132|v10n||10 metre v-component of neutral wind|m s**-1|
228134|vtnowd||V-tendency from non-orographic wave drag|m s**-2|
228136|utnowd||U-tendency from non-orographic wave drag|m s**-2|
228139|st||Soil temperature|K|
228141|sd||Snow depth water equivalent|kg m**-2|
228143|cp||Convective precipitation|kg m**-2|
228144|sf||Snowfall water equivalent|kg m**-2|
228164|tcc||Total Cloud Cover|%|
228170|cap||Field capacity|kg m**-3|
228171|wilt||Wilting point|kg m**-3|
228205|ro||Water runoff and drainage|kg m**-2|
228216|fzra||Accumulated freezing rain|m|
228217|ilspf||Instantaneous large-scale precipitation fraction|Proportion|
228218|crr||Convective rain rate|kg m**-2 s**-1|
228219|lsrr||Large scale rain rate|kg m**-2 s**-1|
228220|csfr||Convective snowfall rate water equivalent|kg m**-2 s**-1|
228221|lssfr||Large scale snowfall rate water equivalent|kg m**-2 s**-1|
228222|mxtpr3||Maximum total precipitation rate in the last 3 hours|kg m**-2 s**-1|
228223|mntpr3||Minimum total precipitation rate in the last 3 hours|kg m**-2 s**-1|
228224|mxtpr6||Maximum total precipitation rate in the last 6 hours|kg m**-2 s**-1|
228225|mntpr6||Minimum total precipitation rate in the last 6 hours|kg m**-2 s**-1|
228226|mxtpr||Maximum total precipitation rate since previous post-processing|kg m**-2 s**-1|
228227|mntpr||Minimum total precipitation rate since previous post-processing|kg m**-2 s**-1|
228228|tp||Total Precipitation|kg m**-2|
228229|smos_tb_cdfa||SMOS first Brightness Temperature Bias Correction parameter|K|
228230|smos_tb_cdfb||SMOS second Brightness Temperature Bias Correction parameter|dimensionless|
228231|mlcape50||Mixed-layer CAPE in the lowest 50 hPa|J kg**-1|
228232|mlcin50||Mixed-layer CIN in the lowest 50 hPa|J kg**-1|
228233|mlcape100||Mixed-layer CAPE in the lowest 100 hPa|J kg**-1|
228234|mlcin100||Mixed-layer CIN in the lowest 100 hPa|J kg**-1|
228236|mucin||Most-unstable CIN|J kg**-1|
228237|mudlp||Departure level of the most unstable parcel expressed as Pressure|Pa|
228239|200u|u200|200 metre U wind component|m s**-1|eastward_wind
228240|200v|v200|200 metre V wind component|m s**-1|northward_wind
228241|200si|si200|200 metre wind speed|m s**-1|
228242|fdif||Surface solar radiation diffuse total sky|J m**-2|
228243|cdif||Surface solar radiation diffuse clear-sky|J m**-2|
228244|aldr||Surface albedo of direct radiation|(0 - 1)|
228245|aldf||Surface albedo of diffuse radiation|(0 - 1)|
228246|100u|u100|100 metre U wind component|m s**-1|eastward_wind
228247|100v|v100|100 metre V wind component|m s**-1|northward_wind
228248|tccsw||Surface short wave-effective total cloudiness|dimensionless|
228249|100si|si100|100 metre wind speed|m s**-1|
228250|irrfr||Irrigation fraction|Proportion|
228251|pev||Potential evaporation|m|
228252|irr||Irrigation|m|
228253|ascat_sm_cdfa||ASCAT first soil moisture CDF matching parameter|m**3 m**-3|
228254|ascat_sm_cdfb||ASCAT second soil moisture CDF matching parameter|dimensionless|
228255|tcclw||Surface long wave-effective total cloudiness|dimensionless|
231001|fzrawe||Accumulated freezing rain water equivalent|kg m**-2|
231003|eswe||Snow evaporation water equivalent|kg m**-2|
231005|peva||Potential evaporation|kg m**-2|
231023|tdtc||Tropical cyclones track density|Numeric|
231040|tgrp||Graupel (snow pellets) precipitation|kg m**-2|
231057|csfwe||Convective snowfall water equivalent|kg m**-2|
231058|lsfwe||Large-scale snowfall water equivalent|kg m**-2|
235001|avg_ttswr||Time-mean temperature tendency due to short-wave radiation|K s**-1|
235002|avg_ttlwr||Time-mean temperature tendency due to long-wave radiation|K s**-1|
235003|avg_ttswrcs||Time-mean temperature tendency due to short wave radiation, clear sky|K s**-1|
235004|avg_ttlwrcs||Time-mean temperature tendency due to long-wave radiation, clear sky|K s**-1|
235005|avg_ttpm||Time-mean temperature tendency due to parametrisations|K s**-1|
235006|avg_qtpm||Time-mean specific humidity tendency due to parametrisations|kg kg**-1 s**-1|
235007|avg_utpm||Time-mean eastward wind tendency due to parametrisations|m s**-2|
235008|avg_vtpm||Time-mean northward wind tendency due to parametrisations|m s**-2|
235009|avg_umf||Time-mean updraught mass flux|kg m**-2 s**-1|
235010|avg_dmf||Time-mean downdraught mass flux|kg m**-2 s**-1|
235011|avg_udr||Time-mean updraught detrainment rate|kg m**-3 s**-1|
235012|avg_ddr||Time-mean downdraught detrainment rate|kg m**-3 s**-1|
235014|avg_tdch||Time-mean turbulent diffusion coefficient for heat|m**2 s**-1|
235015|tirf||Time integral of rain flux|kg m**-2|
235017|tisemf||Time integral of surface eastward momentum flux|N m**-2 s|
235018|tisnmf||Time integral of surface northward momentum flux|N m**-2 s|
235019|tislhef||Time integral of surface latent heat evaporation flux|J m**-2|
235020|avg_surfror||Time-mean surface runoff rate|kg m**-2 s**-1|
235021|avg_ssurfror||Time-mean sub-surface runoff rate|kg m**-2 s**-1|
235022|avg_parcsf||Time-mean surface photosynthetically active radiation flux, clear sky|W m**-2|
235023|avg_esrwe||Time-mean snow evaporation rate water equivalent|kg m**-2 s**-1|
235024|avg_smr||Time-mean snow melt rate|kg m**-2 s**-1|
235025|avg_imagss||Time-mean magnitude of turbulent surface stress|N m**-2|
235026|avg_ilspf||Time-mean large-scale precipitation fraction|Proportion|
235027|avg_sduvrf||Time-mean surface downward UV radiation flux|W m**-2|
235028|avg_sparf||Time-mean surface photosynthetically active radiation flux|W m**-2|
235029|avg_lsprate||Time-mean large-scale precipitation rate|kg m**-2 s**-1|
235030|avg_cpr||Time-mean convective precipitation rate|kg m**-2 s**-1|
235031|avg_tsrwe||Time-mean total snowfall rate water equivalent|kg m**-2 s**-1|
235032|avg_ibld||Time-mean boundary layer dissipation|W m**-2|
235033|avg_ishf||Time-mean surface sensible heat flux|W m**-2|
235034|avg_slhtf||Time-mean surface latent heat flux|W m**-2|
235035|avg_sdswrf||Time-mean surface downward short-wave radiation flux|W m**-2|
235036|avg_sdlwrf||Time-mean surface downward long-wave radiation flux|W m**-2|
235037|avg_snswrf||Time-mean surface net short-wave radiation flux|W m**-2|
235038|avg_snlwrf||Time-mean surface net long-wave radiation flux|W m**-2|
235039|avg_tnswrf||Time-mean top net short-wave radiation flux|W m**-2|
235040|avg_tnlwrf||Time-mean top net long-wave radiation flux|W m**-2|
235041|avg_iews||Time-mean eastward turbulent surface stress|N m**-2|
235042|avg_inss||Time-mean northward turbulent surface stress|N m**-2|
235043|avg_ie||Time-mean moisture flux|kg m**-2 s**-1|
235044|avg_sdf||Time-mean sunshine duration fraction|Proportion|
235045|avg_iegwss||Time-mean eastward gravity wave surface stress|N m**-2|
235046|avg_ingwss||Time-mean northward gravity wave surface stress|N m**-2|
235047|avg_igwd||Time-mean gravity wave dissipation|W m**-2|
235048|avg_rorwe||Time-mean runoff rate water equivalent (surface plus subsurface)|kg m**-2 s**-1|
235049|avg_tnswrfcs||Time-mean top net short-wave radiation flux, clear sky|W m**-2|
235050|avg_tnlwrfcs||Time-mean top net long-wave radiation flux, clear sky|W m**-2|
235051|avg_snswrfcs||Time-mean surface net short-wave radiation flux, clear sky|W m**-2|
235052|avg_snlwrfcs||Time-mean surface net long-wave radiation flux, clear sky|W m**-2|
235053|avg_tdswrf||Time mean top downward short-wave radiation flux|W m**-2|
235054|avg_vimdf||Time-mean total column vertically-integrated moisture divergence flux|kg m**-2 s**-1|
235055|avg_tprate||Time-mean total precipitation rate|kg m**-2 s**-1|
235056|avg_csfr||Time-mean convective snowfall rate water equivalent|kg m**-2 s**-1|
235057|avg_lssfr||Time-mean large scale snowfall rate water equivalent|kg m**-2 s**-1|
235058|avg_sdirswrf||Time-mean surface direct short-wave radiation flux|W m**-2|
235059|avg_sdirswrfcs||Time-mean surface direct short-wave radiation flux, clear sky|W m**-2|
235060|msdfswrf||Mean surface diffuse short-wave radiation flux|W m**-2|
235061|avg_sdifswrfcs||Time-mean surface diffuse short-wave radiation flux, clear sky|W m**-2|
235062|avg_fco2nee||Time-mean carbon dioxide net ecosystem exchange flux|kg m**-2 s**-1|
235063|avg_fco2gpp||Time-mean carbon dioxide gross primary production flux|kg m**-2 s**-1|
235064|avg_fco2rec||Time-mean carbon dioxide ecosystem respiration flux|kg m**-2 s**-1|
235068|avg_sdswrfcs||Time-mean surface downward short-wave radiation flux, clear sky|W m**-2|
235069|avg_sdlwrfcs||Time-mean surface downward long-wave radiation flux, clear sky|W m**-2|
235070|avg_pevr||Time-mean potential evaporation rate|kg m**-2 s**-1|
235071|tislhsf||Time integral of surface latent heat sublimation flux|J m**-2|
235072|tisef||Time integral of snow evaporation flux|kg m**-2|
235073|tietrf||Time integral of evapotranspiration flux|kg m**-2|
235074|avg_etr||Time-mean evapotranspiration rate|kg m**-2 s**-1|
235075|tipet||Time integral of potential evapotranspiration rate|kg m**-2|
235076|avg_petr||Time-mean potential evapotranspiration rate|kg m**-2 s**-1|
235077|avg_vsw||Time-mean volumetric soil moisture|m**3 m**-3|
235078|avg_sd||Time-mean snow depth water equivalent|kg m**-2|
235079|avg_skt||Time-mean skin temperature|K|
235080|avg_rsn||Time-mean snow density|kg m**-3|
235081|avg_cvl||Time-mean low vegetation cover|(0 - 1)|
235082|avg_cvh||Time-mean high vegetation cover|(0 - 1)|
235083|avg_ci||Time-mean sea ice area fraction|(0 - 1)|sea_ice_area_fraction
235084|avg_sst||Time-mean sea surface temperature|K|
235085|avg_lai_lv||Time-mean leaf area index, low vegetation|m**2 m**-2|
235086|avg_lai_hv||Time-mean leaf area index, high vegetation|m**2 m**-2|
235087|avg_tclw||Time-mean total column liquid water|kg m**-2|
235088|avg_tciw||Time-mean total column cloud ice water|kg m**-2|
235089|avg_2sh||Time-mean 2 metre specific humidity|kg kg**-1|specific_humidity
235090|avg_lmlt||Time-mean lake mix-layer temperature|K|
235091|avg_lmld||Time-mean lake mix-layer depth|m|
235092|avg_2r||Time-mean 2 metre relative humidity|%|relative_humidity
235093|avg_fscov||Time-mean fraction of snow cover|Proportion|
235094|avg_sot||Time-mean soil temperature|K|
235097|avg_ws||Time-mean wind speed|m s**-1|
235098|avg_pres||Time-mean pressure|Pa|
235099|avg_chnk||Time-mean charnock|Numeric|
235100|avg_pv||Time-mean potential vorticity|K m**2 kg**-1 s**-1|
235101|avg_crwc||Time-mean specific rain water content|kg kg**-1|
235102|avg_cswc||Time-mean specific snow water content|kg kg**-1|
235103|avg_etadot||Time-mean eta-coordinate vertical velocity|s**-1|
235105|avg_vis||Time-mean visibility|m|
235106|avg_wdir||Time-mean wind direction|Degree true|
235107|avg_tcsw||Time-mean total column snow water|kg m**-2|
235108|avg_lcc||Time-mean low cloud cover|%|
235109|avg_mcc||Time-mean medium cloud cover|%|
235110|avg_hcc||Time-mean high cloud cover|%|
235111|avg_tcrw||Time-mean total column rain water|kg m**-2|
235117|avg_mucape||Time-mean most-unstable CAPE|J kg**-1|
235120|avg_tcolg||Time-mean total column vertically-integrated graupel (snow pellets)|kg m**-2|
235129|avg_z||Time-mean geopotential|m**2 s**-2|geopotential
235130|avg_t||Time-mean temperature|K|air_temperature
235131|avg_u||Time-mean U component of wind|m s**-1|eastward_wind
235132|avg_v||Time-mean V component of wind|m s**-1|northward_wind
235133|avg_q||Time-mean specific humidity|kg kg**-1|specific_humidity
235134|avg_sp||Time-mean surface pressure|Pa|surface_air_pressure
235135|avg_w||Time-mean vertical velocity|Pa s**-1|lagrangian_tendency_of_air_pressure
235136|avg_tcw||Time-mean total column water|kg m**-2|
235137|avg_tcwv||Time-mean total column vertically-integrated water vapour|kg m**-2|lwe_thickness_of_atmosphere_mass_content_of_water_vapor
235138|avg_vo||Time-mean vorticity (relative)|s**-1|atmosphere_relative_vorticity
235141|avg_sd_m||Time-mean snow depth|m of water equivalent|lwe_thickness_of_surface_snow_amount
235149|avg_snrf||Time-mean surface net radiation flux (SW and LW)|W m**-2|
235150|avg_tnrf||Time-mean top net radiation flux (SW and LW)|W m**-2|
235151|avg_msl||Time-mean mean sea level pressure|Pa|air_pressure_at_mean_sea_level
235152|avg_lnsp||Time-mean logarithm of surface pressure|Numeric|
235155|avg_d||Time-mean divergence|s**-1|divergence_of_wind
235157|avg_r||Time-mean relative humidity|%|relative_humidity
235159|avg_blh||Time-mean boundary layer height|m|
235165|avg_10u||Time-mean 10 metre U wind component|m s**-1|eastward_wind
235166|avg_10v||Time-mean 10 metre V wind component|m s**-1|northward_wind
235168|avg_2d||Time-mean 2 metre dewpoint temperature|K|
235186|avg_lcc_frac||Time-mean low cloud cover|(0 - 1)|
235187|avg_mcc_frac||Time-mean medium cloud cover|(0 - 1)|
235188|avg_hcc_frac||Time-mean high cloud cover|(0 - 1)|
235189|avg_suns||Time-mean sunshine|Numeric|
235203|avg_o3||Time-mean ozone mass mixing ratio|kg kg**-1|mass_fraction_of_ozone_in_air
235238|avg_tsn||Time-mean temperature of snow layer|K|temperature_in_surface_snow
235243|avg_fal_frac||Time-mean forecast albedo|(0 - 1)|
235244|avg_fsr||Time-mean forecast surface roughness|m|
235245|avg_flsr||Time-mean forecast logarithm of surface roughness for heat|Numeric|
235246|avg_clwc||Time-mean specific cloud liquid water content|kg kg**-1|
235247|avg_ciwc||Time-mean specific cloud ice water content|kg kg**-1|
235248|avg_cc||Time-mean fraction of cloud cover|(0 - 1)|
235257|avg_kx||Time-mean K index|K|
235258|avg_totalx||Time-mean total totals index|K|
235261|avg_10wdir||Time-mean 10 metre wind direction|Degree true|
235262|avg_cat||Time-mean clear air turbulence (CAT)|m**2/3 s**-1|
235263|avg_al||Time-mean forecast albedo|%|surface_albedo
235269|avg_pt||Time-mean potential temperature|K|
235270|avg_dis||Time-mean discharge from rivers or streams|m**3 s**-1|
235271|avg_swit||Time-mean soil wetness index (total layer)|Numeric|
235273|avg_swil||Time-mean soil wetness index(layer)|Numeric|
235274|avg_flddep||Time-mean floodplain depth|m|
235275|avg_fldffr||Time-mean floodplain flooded fraction|Proportion|
235276|avg_fldfar||Time-mean floodplain flooded area|m**2|
235277|avg_rivfr||Time-mean river fraction|Proportion|
235278|avg_rivar||Time-mean river area|m**2|
235279|avg_rivcffr||Time-mean fraction of river coverage plus river related flooding|Proportion|
235280|avg_rivcfar||Time-mean area of river coverage plus river related flooding|m**2|
235285|avg_asn||Time-mean snow albedo|%|
235286|avg_mont||Time-mean montgomery potential|m**2 s**-2|
235287|avg_cape||Time-mean convective available potential energy|J kg**-1|
235289|avg_srcon||Time-mean skin reservoir content|kg m**-2|
235290|avg_tcioz||Time-mean total column integrated ozone|DU|
235291|avg_vike||Time-mean total column vertically-integrated kinetic energy|J m**-2|
235292|avg_vithe||Time-mean total column vertically-integrated enthalpy|J m**-2|
235293|avg_vipie||Time-mean total column vertically-integrated potential + internal energy|J m**-2|
235294|avg_vipile||Time-mean total column vertically-integrated potential+internal+latent energy|J m**-2|
235295|avg_vitoe||Time-mean total column vertically-integrated total energy|J m**-2|
235296|avg_viwe||Time-mean total column vertically-integrated water enthalpy|J m**-2|
235303|avg_cin||Time-mean convective inhibition|J kg**-1|
235304|avg_zust||Time-mean friction velocity|m s**-1|
235305|avg_lblt||Time-mean lake bottom temperature|K|
235306|avg_ltlt||Time-mean lake total layer temperature|K|
235307|avg_lshf||Time-mean lake shape factor|dimensionless|
235308|avg_lict||Time-mean lake ice surface temperature|K|
235309|avg_licd||Time-mean lake ice total depth|m|
235310|avg_dndzn||Time-mean minimum vertical gradient of refractivity inside trapping layer|m**-1|
235311|avg_dndza||Time-mean mean vertical gradient of refractivity inside trapping layer|m**-1|
235312|avg_dctb||Time-mean duct base height|m|
235313|avg_tplb||Time-mean trapping layer base height|m|
235314|avg_tplt||Time-mean trapping layer top height|m|
235315|avg_degm10l||Time-mean geometric height of -10 degrees C atmospheric isothermal level above ground|m|
235316|avg_cbh||Time-mean cloud base height|m|
235317|avg_deg0l||Time-mean geometric height of 0 degrees C atmospheric isothermal level above ground|m|
235318|avg_i10fg||Time-mean 10 metre wind gust|m s**-1|
235319|avg_rhw||Time-mean relative humidity with respect to water|%|
235320|avg_2rhw||Time-mean 2 metre relative humidity with respect to water|%|
235321|avg_capes||Time-mean convective available potential energy shear|m**2 s**-2|
235322|avg_trpp||Time-mean tropopause pressure|Pa|
235323|avg_hcct||Time-mean height of convective cloud top|m|
235324|avg_hwbt0||Time-mean height of zero-degree wet-bulb temperature|m|
235325|avg_hwbt1||Time-mean height of one-degree wet-bulb temperature|m|
235327|avg_tcslw||Time-mean total column supercooled liquid water|kg m**-2|
235328|avg_u10n||Time-mean 10 metre U-component of neutral wind|m s**-1|
235329|avg_v10n||Time-mean 10 metre V-component of neutral wind|m s**-1|
235330|avg_crr||Time-mean convective rain rate|kg m**-2 s**-1|
235331|avg_lsrr||Time-mean large scale rain rate|kg m**-2 s**-1|
235332|avg_mlcape50||Time-mean mixed-layer CAPE in the lowest 50 hPa|J kg**-1|
235333|avg_mlcin50||Time-mean mixed-layer CIN in the lowest 50 hPa|J kg**-1|
235334|avg_mlcape100||Time-mean mixed-layer CAPE in the lowest 100 hPa|J kg**-1|
235335|avg_mlcin100||Time-mean mixed-layer CIN in the lowest 100 hPa|J kg**-1|
235336|avg_mudlp||Time-mean departure level of the most unstable parcel expressed as Pressure|Pa|
235337|avg_ceil||Time-mean ceiling|m|
235338|avg_tcsqw||Time-mean total column integrated saturation specific humidity with respect to water|kg m**-2|
235339|avg_sdirnswrf||Time-mean surface direct normal short-wave radiation flux|W m**-2|
235340|avg_cossza||Time-mean cosine of solar zenith angle|Numeric|
235341|avg_fprate||Time-mean freezing rain precipitation rate|kg m**-2 s**-1|
235342|avg_vige||Time-mean total column vertically-integrated eastward geopotential flux|W m**-1|
235343|avg_vign||Time-mean total column vertically-integrated northward geopotential flux|W m**-1|
235344|avg_viwgd||Time-mean total column vertically-integrated divergence of water geopotential flux|W m**-2|
235345|avg_vigd||Time-mean total column vertically-integrated divergence of geopotential flux|W m**-2|
235346|avg_viee||Time-mean total column vertically-integrated eastward enthalpy flux|W m**-1|
235347|avg_vien||Time-mean total column vertically-integrated northward enthalpy flux|W m**-1|
235348|avg_vikee||Time-mean total column vertically-integrated eastward kinetic energy flux|W m**-1|
235349|avg_viken||Time-mean total column vertically-integrated northward kinetic energy flux|W m**-1|
235350|avg_vitee||Time-mean total column vertically-integrated eastward total energy flux|W m**-1|
235351|avg_viten||Time-mean total column vertically-integrated northward total energy flux|W m**-1|
235352|avg_vied||Time-mean total column vertically-integrated divergence of enthalpy flux|W m**-2|
235353|avg_viked||Time-mean total column vertically-integrated divergence of kinetic energy flux|W m**-2|
235354|avg_vited||Time-mean total column vertically-integrated divergence of total energy flux|W m**-2|
235355|avg_viwed||Time-mean total column vertically-integrated divergence of water enthalpy flux|W m**-2|
235356|avg_vimad||Time-mean total column vertically-integrated divergence of mass flux|kg m**-2 s**-1|
235357|avg_vimae||Time-mean total column vertically-integrated eastward mass flux|kg m**-1 s**-1|
235358|avg_viman||Time-mean total column vertically-integrated northward mass flux|kg m**-1 s**-1|
235359|avg_viwvd||Time-mean total column vertically-integrated divergence of water vapour flux|kg m**-2 s**-1|
235360|avg_viclwd||Time-mean total column vertically-integrated divergence of cloud liquid water flux|kg m**-2 s**-1|
235361|avg_viciwd||Time-mean total column vertically-integrated divergence of cloud ice water flux|kg m**-2 s**-1|
235362|avg_vird||Time-mean total column vertically-integrated divergence of rain flux|kg m**-2 s**-1|
235363|avg_visd||Time-mean total column vertically-integrated divergence of snow flux|kg m**-2 s**-1|
235364|avg_viwve||Time-mean total column vertically-integrated eastward water vapour flux|kg m**-1 s**-1|
235365|avg_viwvn||Time-mean total column vertically-integrated northward water vapour flux|kg m**-1 s**-1|
235366|avg_viclwe||Time-mean total column vertically-integrated eastward cloud liquid water flux|kg m**-1 s**-1|
235367|avg_viclwn||Time-mean total column vertically-integrated northward cloud liquid water flux|kg m**-1 s**-1|
235368|avg_viciwe||Time-mean total column vertically-integrated eastward cloud ice water flux|kg m**-1 s**-1|
235369|avg_viciwn||Time-mean total column vertically-integrated northward cloud ice water flux|kg m**-1 s**-1|
235370|avg_vire||Time-mean total column vertically-integrated eastward rain flux|kg m**-1 s**-1|
235371|avg_virn||Time-mean total column vertically-integrated northward rain flux|kg m**-1 s**-1|
235372|avg_vise||Time-mean total column vertically-integrated eastward snow flux|kg m**-1 s**-1|
235373|avg_visn||Time-mean total column vertically-integrated northward snow flux|kg m**-1 s**-1|
235378|avg_ietssofd||Time-mean eastward turbulent surface stress due to orographic form drag|N m**-2|
235379|avg_intssofd||Time-mean northward turbulent surface stress due to orographic form drag|N m**-2|
235380|avg_ietsssr||Time-mean eastward turbulent surface stress due to surface roughness|N m**-2|
235381|avg_intsssr||Time-mean northward turbulent surface stress due to surface roughness|N m**-2|
235382|avg_visp||Time-mean visibility through precipitation|m|
235386|avg_lshnf||Time-mean land surface heat net flux|W m**-2|
235387|avg_sdirnswrfcs||Time-mean surface direct normal short-wave radiation flux, clear sky|W m**-2|
235388|avg_10cogu||Time-mean 10 metre convective gust|m s**-1|
235389|avg_10tugu||Time-mean 10 metre turbulent gust|m s**-1|
235390|avg_h0thg||Time-mean geometric height of 0 degrees C theta level above ground|m|
235391|avg_h1thg||Time-mean geometric height of 1 degree C theta level above ground|m|
235392|avg_h1p5thg||Time-mean geometric height of 1.5 degrees C theta level above ground|m|
235393|avg_veg||Time-mean vegetation|%|
235394|avg_lai||Time-mean leaf area index|Numeric|
235395|avg_srhe||Time-mean surface roughness for heat|m|
235396|avg_rol||Time-mean Reciprocal Obukhov length|m**-1|
235397|avg_deg3l||Time-mean geometric height of 3 degrees C atmospheric isothermal level above ground|m|
235398|avg_rivsto||Time-mean river storage of water|m**3|
235399|avg_fldsto||Time-mean floodplain storage of water|m**3|
235400|avg_rivdph||Time-mean river depth|m|
235401|avg_rivout||Time-mean river outflow of water|m**3 s**-1|
235402|avg_fldout||Time-mean floodplain outflow of water|m**3 s**-1|
235403|avg_pthflw||Time-mean floodpath outflow of water|m**3 s**-1|
235404|avg_sdifswrfcs||Time-mean surface diffuse short-wave radiation flux, clear sky|W m**-2|
235405|avg_vswrz||Time-mean volumetric soil moisture (root zone)|m**3 m**-3|
235412|avg_wse||Time-mean water surface elevation|m|
235413|avg_grfr||Time-mean groundwater return flow rate|m**3 s**-1|
235414|avg_rivfldsto||Time-mean river and floodplain storage|m**3|
235415|avg_darv||Time-mean depth-averaged river velocity|m s**-1|
240011|chcross||Cross sectional area of flow in channel|m**2|
240012|chside||Side flow into river channel|m**3 s**-1 m**-1|
240013|dis||Discharge from rivers or streams|m**3 s**-1|
240014|rivsto||River storage of water|m**3|
240015|fldsto||Floodplain storage of water|m**3|
240017|dslr||Days since last observation|Integer|
240018|frost||Frost index|K|
240020|woss||Depth of water on soil surface|kg m**-2|
240021|tpups||Upstream accumulated precipitation|kg m**-2|
240022|smups||Upstream accumulated snow melt|kg m**-2|
240026|sd_elev||Snow depth at elevation bands|kg m**-2|
240028|gwus||Groundwater upper storage|kg m**-2|
240029|gwls||Groundwater lower storage|kg m**-2|
240030|lakdph||Lake depth|m|
240031|rivdph||River depth|m|
240032|rivout||River outflow of water|m**3 s**-1|
240033|fldout||Floodplain outflow of water|m**3 s**-1|
240034|pthflw||Floodpath outflow of water|m**3 s**-1|
240035|flddep||Floodplain depth|m|
240036|fldffr||Floodplain flooded fraction|Proportion|
240037|fldfar||Floodplain flooded area|m**2|
240038|rivfr||River fraction|Proportion|
240039|rivar||River area|m**2|
240040|rivcffr||Fraction of river coverage plus river related flooding|Proportion|
240041|rivcfar||Area of river coverage plus river related flooding|m**2|
240042|wse||Water surface elevation|m|
240043|grfr||Groundwater return flow rate|m**3 s**-1|
240044|rivfldsto||River and floodplain storage|m**3|
240045|darv||Depth-averaged river velocity|m s**-1|
250001|lat||Latitude|Degree N|
250002|lon||Longitude|Degree E|
254001|covar_t2m_swvl1||Covariance between 2-metre temperature and volumetric soil water layer 1|K m**3 m**-3|
254002|covar_rh2m_swvl1||Covariance between 2-metre relative humidity and volumetric soil water layer 1|% m**3 m**-3|
254003|covar_ssm_swvl1||Covariance between surface soil moisture and volumetric soil water layer 1|m**3 m**-3 m**3 m**-3|
254004|covar_t2m_swvl2||Covariance between 2-metre temperature and volumetric soil water layer 2|K m**3 m**-3|
254005|covar_rh2m_swvl2||Covariance between 2-metre relative humidity and volumetric soil water layer 2|% m**3 m**-3|
254006|covar_ssm_swvl2||Covariance between surface soil moisture and volumetric soil water layer 2|m**3 m**-3 m**3 m**-3|
254007|covar_t2m_swvl3||Covariance between 2-metre temperature and volumetric soil water layer 3|K m**3 m**-3|
254008|covar_rh2m_swvl3||Covariance between 2-metre relative humidity and volumetric soil water layer 3|% m**3 m**-3|
254009|covar_ssm_swvl3||Covariance between surface soil moisture and volumetric soil water layer 3|m**3 m**-3 m**3 m**-3|
254010|covar_t2m_stl1||Covariance between 2-metre temperature and soil temperature layer 1|K K|
254011|covar_rh2m_stl1||Covariance between 2-metre relative humidity and soil temperature layer 1|% K|
254012|covar_t2m_stl2||Covariance between 2-metre temperature and soil temperature layer 2|K K|
254013|covar_rh2m_stl2||Covariance between 2-metre relative humidity and soil temperature layer 2|% K|
254014|covar_t2m_stl3||Covariance between 2-metre temperature and soil temperature layer 3|K K|
254015|covar_rh2m_stl3||Covariance between 2-metre relative humidity and soil temperature layer 3|% K|
254016|covar_t2m_tsn1||Covariance between 2-metre temperature and temperature of snow layer 1|K K|
254017|covar_rh2m_tsn1||Covariance between 2-metre relative humidity and temperature of snow layer 1|% K|
254018|covar_t2m_tsn2||Covariance between 2-metre temperature and temperature of snow layer 2|K K|
254019|covar_rh2m_tsn2||Covariance between 2-metre relative humidity and temperature of snow layer 2|% K|
254020|covar_t2m_tsn3||Covariance between 2-metre temperature and temperature of snow layer 3|K K|
254021|covar_rh2m_tsn3||Covariance between 2-metre relative humidity and temperature of snow layer 3|% K|
254022|covar_skt_stl1||Covariance between skin temperature and soil temperature layer 1|K K|
254023|covar_skt_stl2||Covariance between skin temperature and soil temperature layer 2|K K|
254024|covar_skt_stl3||Covariance between skin temperature and soil temperature layer 3|K K|
254025|covar_skt_swvl1||Covariance between skin temperature and volumetric soil water layer 1|K m**3 m**-3|
254026|covar_skt_swvl2||Covariance between skin temperature and volumetric soil water layer 2|K m**3 m**-3|
254027|covar_skt_swvl3||Covariance between skin temperature and volumetric soil water layer 3|K m**3 m**-3|
254028|covar_skt_tsn1||Covariance between skin temperature and temperature of snow layer 1|K K|
254029|covar_skt_tsn2||Covariance between skin temperature and temperature of snow layer 2|K K|
254030|covar_skt_tsn3||Covariance between skin temperature and temperature of snow layer 3|K K|
254500|curvmsl||CURV diagnostic mean sea level pressure|dimensionless|
254501|curvz||CURV diagnostic geopotential|dimensionless|
260004|heatx||Heat index|K|
260005|wcf||Wind chill factor|K|
260007|snohf||Snow phase change heat flux|W m**-2|
260008|vapp||Vapor pressure|Pa|
260009|ncpcp||Large scale precipitation (non-convective)|kg m**-2|
260010|srweq||Snowfall rate water equivalent|kg m**-2 s**-1|
260011|snoc||Convective snow|kg m**-2|
260012|snol||Large scale snow|kg m**-2|
260013|snoag||Snow age|day|
260014|absh||Absolute humidity|kg m**-3|
260015|ptype||Precipitation type|(Code table 4.201)|
260016|iliqw||Integrated liquid water|kg m**-2|
260017|tcond||Condensate|kg kg**-1|
260018|clwmr||Cloud mixing ratio|kg kg**-1|
260019|icmr||Ice water mixing ratio|kg kg**-1|
260020|rwmr||Rain mixing ratio|kg kg**-1|
260021|snmr||Snow mixing ratio|kg kg**-1|
260022|mconv||Horizontal moisture convergence|kg kg**-1 s**-1|
260023|maxrh||Maximum relative humidity|%|
260024|maxah||Maximum absolute humidity|kg m**-3|
260025|asnow||Total snowfall|m|
260026|pwcat||Precipitable water category|(Code table 4.202)|
260027|hail||Hail|m|
260028|grle||Graupel (snow pellets)|kg kg**-1|
260029|crain||Categorical rain|(Code table 4.222)|
260030|cfrzr||Categorical freezing rain|(Code table 4.222)|
260031|cicep||Categorical ice pellets|(Code table 4.222)|
260032|csnow||Categorical snow|(Code table 4.222)|
260033|cpr||Convective precipitation rate|kg m**-2 s**-1|
260034|mdiv||Horizontal moisture divergence|kg kg**-1 s**-1|
260035|cpofp||Percent frozen precipitation|%|
260036|pevap||Potential evaporation|kg m**-2|
260038|snowc||Snow cover|%|
260039|frain||Rain fraction of total cloud water|Proportion|
260040|rime||Rime factor|Numeric|
260041|tcolr||Total column integrated rain|kg m**-2|
260042|tcols||Total column integrated snow|kg m**-2|
260043|lswp||Large scale water precipitation (non-convective)|kg m**-2|
260044|cwp||Convective water precipitation|kg m**-2|
260045|twatp||Total water precipitation|kg m**-2|
260046|tsnowp||Total snow precipitation|kg m**-2|
260047|tcwat||Total column water (Vertically integrated total water (vapour + cloud water/ice))|kg m**-2|
260053|tsrate||Total snowfall rate|m s**-1|
260054|csrate||Convective snowfall rate|m s**-1|
260055|lssrate||Large scale snowfall rate|m s**-1|
260056|sdwe||Water equivalent of accumulated snow depth (deprecated)|kg m**-2|
260058|rprate||Rain precipitation rate|kg m**-2 s**-1|
260059|sprate||Snow precipitation rate|kg m**-2 s**-1|
260061|iprate||Ice pellets precipitation rate|kg m**-2 s**-1|
260065|gust||Wind speed (gust)|m s**-1|
260066|ugust||u-component of wind (gust)|m s**-1|
260067|vgust||v-component of wind (gust)|m s**-1|
260068|vwsh||Vertical speed shear|s**-1|
260069|mflx||Horizontal momentum flux|N m**-2|
260070|ustm||U-component storm motion|m s**-1|
260071|vstm||V-component storm motion|m s**-1|
260072|cd||Drag coefficient|Numeric|
260073|fricv||Frictional velocity|m s**-1|
260074|prmsl||Pressure reduced to MSL|Pa|
260076|alts||Altimeter setting|Pa|
260077|thick||Thickness|m|
260078|presalt||Pressure altitude|m|
260079|denalt||Density altitude|m|
260080|5wavh|wavh5|5-wave geopotential height|gpm|
260081|iegwss||Instantaneous eastward gravity wave surface stress|N m**-2|
260082|ingwss||Instantaneous northward gravity wave surface stress|N m**-2|
260084|5wava|wava5|5-wave geopotential height anomaly|gpm|
260086|nswrt||Net short-wave radiation flux (top of atmosphere)|W m**-2|
260087|sdswrf||Surface downward short-wave radiation flux|W m**-2|
260088|suswrf||Surface upward short-wave radiation flux|W m**-2|
260093|uviucs||UV index (under clear sky)|Numeric|
260094|uvi||UV index|Numeric|
260097|sdlwrf||Surface downward long-wave radiation flux|W m**-2|
260098|sulwrf||Surface upward long-wave radiation flux|W m**-2|
260101|cice||Cloud Ice|kg m**-2|
260102|cwat||Cloud water|kg m**-2|
260103|cdca||Cloud amount|%|
260104|cdct||Cloud type|(Code table 4.203)|
260105|tmaxt||Thunderstorm maximum tops|m|
260106|thunc||Thunderstorm coverage|(Code table 4.204)|
260108|cdct||Cloud top|m|
260109|ceil||Ceiling|m|
260110|cdlyr||Non-convective cloud cover|%|
260111|cwork||Cloud work function|J kg**-1|
260112|cuefi||Convective cloud efficiency|Proportion|
260113|tcond||Total condensate|kg kg**-1|
260114|tcolw||Total column-integrated cloud water|kg m**-2|
260115|tcoli||Total column-integrated cloud ice|kg m**-2|
260116|tcolc||Total column-integrated condensate|kg m**-2|
260117|fice||Ice fraction of total condensate|Proportion|
260118|cdcimr||Cloud ice mixing ratio|kg kg**-1|
260120||p260120|Horizontal extent of cumulonimbus (CB)|%|
260121|kx||K index|K|
260122|kox||KO index|K|
260123|totalx||Total totals index|K|
260124|sx||Sweat index|Numeric|
260125|hlcy||Storm relative helicity|m**2 s**-2|
260126|ehlx||Energy helicity index|Numeric|
260127|lftx||Surface lifted index|K|
260128|4lftx|lftx4|Best (4-layer) lifted index|K|
260129|aerot||Aerosol type|(Code table 4.205)|
260130|tozne||Total ozone|DU|
260131|o3mr||Ozone mixing ratio|kg kg**-1|
260132|tcioz||Total column integrated ozone|DU|
260133|bswid||Base spectrum width|m s**-1|
260134|bref||Base reflectivity|dB|
260135|brvel||Base radial velocity|m s**-1|
260136|veril||Vertically-integrated liquid|kg m**-1|
260137|lmaxbr||Layer-maximum base reflectivity|dB|
260138|rdp||Precipitation from radar|kg m**-2|
260139|acces||Air concentration of Caesium 137|Bq m**-3|
260140|aciod||Air concentration of Iodine 131|Bq m**-3|
260141|acradp||Air concentration of radioactive pollutant|Bq m**-3|
260142|gdces||Ground deposition of Caesium 137|Bq m**-2|
260143|gdiod||Ground deposition of Iodine 131|Bq m**-2|
260144|gdradp||Ground deposition of radioactive pollutant|Bq m**-2|
260145|tiaccp||Time-integrated air concentration of caesium pollutant|Bq s m**-3|
260146|tiacip||Time-integrated air concentration of iodine pollutant|Bq s m**-3|
260147|tiacrp||Time-integrated air concentration of radioactive pollutant|Bq s m**-3|
260148|volash||Volcanic ash|(Code table 4.206)|
260149|icit||Icing top|m|
260150|icib||Icing base|m|
260151|ici||Icing|(Code table 4.207)|
260152|turbt||Turbulence top|m|
260153|turbb||Turbulence base|m|
260154|turb||Turbulence|(Code table 4.208)|
260155|tke||Turbulent kinetic energy|J kg**-1|
260156|pblreg||Planetary boundary layer regime|(Code table 4.209)|
260157|conti||Contrail intensity|(Code table 4.210)|
260158|contet||Contrail engine type|(Code table 4.211)|
260159|contt||Contrail top|m|
260160|contb||Contrail base|m|
260161|mxsalb||Maximum snow albedo|%|
260162|snfalb||Snow free albedo|%|
260163||p260163|Icing|%|
260164||p260164|In-cloud turbulence|%|
260165|rcat||Relative clear air turbulence (RCAT)|%|
260166|sldp||Supercooled large droplet probability|%|
260167|var190m0||Arbitrary text string|CCITTIA5|
260168|tsec||Seconds prior to initial reference time (defined in Section 1)|s|
260169|ffldg||Flash flood guidance|kg m**-2|
260170|ffldro||Flash flood runoff (Encoded as an accumulation over a floating subinterval of time)|kg m**-2|
260171|rssc||Remotely sensed snow cover|(Code table 4.215)|
260172|esct||Elevation of snow covered terrain|(Code table 4.216)|
260173|swepon||Snow water equivalent percent of normal|%|
260174|bgrun||Baseflow-groundwater runoff|kg m**-2|
260175|ssrun||Storm surface runoff|kg m**-2|
260176|cppop||Conditional percent precipitation amount fractile for an overall period (Encoded as an accumulation)|kg m**-2|
260177|pposp||Percent precipitation in a sub-period of an overall period|%|
260178|pop||Probability of 0.01 inch of precipitation (POP)|%|
260180|veg||Vegetation|%|
260181|watr||Water runoff|kg m**-2|
260182|evapt||Evapotranspiration|kg**-2 s**-1|
260183|mterh||Model terrain height|m|
260184|landu||Land use|(Code table 4.212)|
260185|soilw||Volumetric soil moisture content|Proportion|
260186|gflux||Ground heat flux|W m**-2|
260187|mstav||Moisture availability|%|
260188|sfexc||Exchange coefficient|kg m**-2 s**-1|
260189|cnwat||Plant canopy surface water|kg m**-2|
260190|bmixl||Blackadar mixing length scale|m|
260191|ccond||Canopy conductance|m s**-1|
260192|rsmin||Minimal stomatal resistance|s m**-1|
260193|rcs||Solar parameter in canopy conductance|Proportion|
260194|rct||Temperature parameter in canopy conductance|Proportion|
260195|rcsol||Soil moisture parameter in canopy conductance|Proportion|
260196|rcq||Humidity parameter in canopy conductance|Proportion|
260197|cisoilw||Column-integrated soil water|kg m**-2|
260198|hflux||Heat flux|W m**-2|
260199|vsw||Volumetric soil moisture|m**3 m**-3|
260200|vwiltm||Volumetric wilting point|m**3 m**-3|
260205|soill||Liquid volumetric soil moisture (non-frozen)|Proportion|
260206|rlyrs||Number of soil layers in root zone|Numeric|
260207|smref||Transpiration stress-onset (soil moisture)|Proportion|
260208|smdry||Direct evaporation cease (soil moisture)|Proportion|
260209|poros||Soil porosity|Proportion|
260210|liqvsm||Liquid volumetric soil moisture (non-frozen)|m**3 m**-3|
260211|voltso||Volumetric transpiration stress-onset (soil moisture)|m**3 m**-3|
260212|transo||Transpiration stress-onset (soil moisture)|kg m**-3|
260213|voldec||Volumetric direct evaporation cease (soil moisture)|m**3 m**-3|
260214|direc||Direct evaporation cease (soil moisture)|kg m**-3|
260215|soilp||Soil porosity|m**3 m**-3|
260216|vsosm||Volumetric saturation of soil moisture|m**3 m**-3|
260217|satosm||Saturation of soil moisture|kg m**-3|
260218|estp||Estimated precipitation|kg m**-2|
260219|irrate||Instantaneous rain rate|kg m**-2 s**-1|
260220|ctoph||Cloud top height|m|
260221|ctophqi||Cloud top height quality indicator|(Code table 4.219)|
260222|estu||Estimated u component of wind|m s**-1|
260223|estv||Estimated v component of wind|m s**-1|
260224|npixu||Number of pixels used|Numeric|
260225|solza||Solar zenith angle|Degree|
260226|raza||Relative azimuth angle|Degree|
260227|rfl06||Reflectance in 0.6 micron channel|%|
260228|rfl08||Reflectance in 0.8 micron channel|%|
260229|rfl16||Reflectance in 1.6 micron channel|%|
260230|rfl39||Reflectance in 3.9 micron channel|%|
260231|atmdiv||Atmospheric divergence|s**-1|
260232|wvdir||Direction of wind waves|Degree true|
260233|dirpw||Primary wave direction|Degree true|
260234|perpw||Primary wave mean period|s|
260235|persw||Secondary wave mean period|s|
260236|dirc||Current direction|Degree true|
260237|spc||Current speed|m s**-1|
260238|wz||Geometric vertical velocity|m s**-1|
260241|tsec||Seconds prior to initial reference time (defined in Section 1)|s|
260242|2r|r2|2 metre relative humidity|%|relative_humidity
260243|ttrad||Temperature tendency by all radiation|K s**-1|
260244|rev||Relative Error Variance||
260245|lrghr||Large Scale Condensate Heating rate|K s**-1|
260246|cnvhr||Deep Convective Heating rate|K s**-1|
260247|thflx||Total Downward Heat Flux at Surface|W m**-2|
260248|ttdia||Temperature Tendency By All Physics|K s**-1|
260249|ttphy||Temperature Tendency By Non-radiation Physics|K s**-1|
260250|tsd1d||Standard Dev. of IR Temp. over 1x1 deg. area|K|
260251|shahr||Shallow Convective Heating rate|K s**-1|
260252|vdfhr||Vertical Diffusion Heating rate|K s**-1|
260253|thz0||Potential temperature at top of viscous sublayer|K|
260254|tchp||Tropical Cyclone Heat Potential|J m**-2 K**-1|
260255|aptmp||Apparent temperature|K|
260256|hindex||Haines Index|Numeric|
260257|ccl||Cloud cover|%|
260259|eva||Evaporation|kg m**-2|
260260|10wdir|wdir10|10 metre wind direction|Degree true|
260261|minrh||Minimum Relative Humidity|%|
260263|sdifswrf||Surface diffuse short-wave radiation flux|W m**-2|
260269|tipd||Total Icing Potential Diagnostic|dimensionless|
260270|ncip||Number concentration for ice particles|dimensionless|
260271|snot||Snow temperature|K|
260272|tclsw||Total column-integrated supercooled liquid water|kg m**-2|
260273|tcolm||Total column-integrated melting ice|kg m**-2|
260274|emnp||Evaporation - Precipitation|cm per day|
260275|sbsno||Sublimation (evaporation from snow)|W m**-2|
260276|cnvmr||Deep Convective Moistening Rate|kg (kg s**-1)**-1|
260277|shamr||Shallow Convective Moistening Rate|kg (kg s**-1)**-1|
260278|vdfmr||Vertical Diffusion Moistening Rate|kg (kg s**-1)**-1|
260279|condp||Condensation Pressure of Parcali Lifted From Indicate Surface|Pa|
260280|lrgmr||Large scale moistening rate|kg (kg s**-1)**-1|
260281|qz0||Specific humidity at top of viscous sublayer|kg kg**-1|
260282|qmax||Maximum specific humidity at 2m|kg kg**-1|
260283|qmin||Minimum specific humidity at 2m|kg kg**-1|
260284|arain||Liquid precipitation (rainfall)|kg m**-2|
260285|snowt||Snow temperature, depth-avg|K|
260286|apcpn||Total precipitation (nearest grid point)|kg m**-2|
260287|acpcpn||Convective precipitation (nearest grid point)|kg m**-2|
260288|frzr||Freezing Rain|kg m**-2|
260289|fscov||Fraction of snow cover|Proportion|
260290|cat||Clear air turbulence (CAT)|m**2/3 s**-1|
260291|mwt||Mountain wave turbulence (eddy dissipation rate)|m**2/3 s**-1|
260292|crwc_conv||Specific rain water content (convective)|kg kg**-1|
260293|cswc_conv||Specific snow water content (convective)|kg kg**-1|
260294|glm||Glacier mask|Proportion|
260295|lauv||Latitude of U Wind Component of Velocity|deg|
260296|louv||Longitude of U Wind Component of Velocity|deg|
260297|lavv||Latitude of V Wind Component of Velocity|deg|
260298|lovv||Longitude of V Wind Component of Velocity|deg|
260299|lapp||Latitude of Pressure Point|deg|
260300|lopp||Longitude of Pressure Point|deg|
260301|vedh||Vertical Eddy Diffusivity Heat exchange|m**2 s**-1|
260302|covmz||Covariance between Meridional and Zonal Components of the wind.|m**2 s**-2|
260303|covtz||Covariance between Temperature and Zonal Components of the wind.|K m s**-1|
260304|covtm||Covariance between Temperature and Meridional Components of the wind.|K m s**-1|
260305|vdfua||Vertical Diffusion Zonal Acceleration|m s**-2|
260306|vdfva||Vertical Diffusion Meridional Acceleration|m s**-2|
260307|gwdu||Gravity wave drag zonal acceleration|m s**-2|
260308|gwdv||Gravity wave drag meridional acceleration|m s**-2|
260309|cnvu||Convective zonal momentum mixing acceleration|m s**-2|
260310|cnvv||Convective meridional momentum mixing acceleration|m s**-2|
260311|wtend||Tendency of vertical velocity|m s**-2|
260312|omgalf||Omega (Dp/Dt) divide by density|K|
260313|cngwdu||Convective Gravity wave drag zonal acceleration|m s**-2|
260314|cngwdv||Convective Gravity wave drag meridional acceleration|m s**-2|
260315|lmv||Velocity Point Model Surface||
260316|pvmww||Potential Vorticity (Mass-Weighted)|(s m**-1)**-1|
260317|mslet||MSLP (Eta model reduction)|Pa|
260323|mslma||MSLP (MAPS System Reduction)|Pa|
260324|tslsa||3-hr pressure tendency (Std. Atmos. Reduction)|Pa s**-1|
260325|plpl||Pressure of level from which parcel was lifted|Pa|
260326|lpsx||X-gradient of Log Pressure|m**-1|
260327|lpsy||Y-gradient of Log Pressure|m**-1|
260328|hgtx||X-gradient of Height|m**-1|
260329|hgty||Y-gradient of Height|m**-1|
260330|layth||Layer Thickness|m|
260331|nlgsp||Natural Log of Surface Pressure|ln(kPa)|
260332|cnvumf||Convective updraft mass flux|kg (m**2 s-1)**-1|
260333|cnvdmf||Convective downdraft mass flux|kg (m**2 s-1)**-1|
260334|cnvdemf||Convective detrainment mass flux|kg (m**2 s-1)**-1|
260335|lmh||Mass Point Model Surface||
260336|hgtn||Geopotential Height (nearest grid point)|gpm|
260337|presn||Pressure (nearest grid point)|Pa|
260340|duvb||UV-B downward solar flux|W m**-2|
260341|cduvb||Clear sky UV-B downward solar flux|W m**-2|
260342|csdsf||Clear Sky Downward Solar Flux|W m**-2|
260343|swhr||Solar Radiative Heating Rate|K s**-1|
260344|csusf||Clear Sky Upward Solar Flux|W m**-2|
260345|cfnsf||Cloud Forcing Net Solar Flux|W m**-2|
260346|vbdsf||Visible Beam Downward Solar Flux|W m**-2|
260347|vddsf||Visible Diffuse Downward Solar Flux|W m**-2|
260348|nbdsf||Near IR Beam Downward Solar Flux|W m**-2|
260349|nddsf||Near IR Diffuse Downward Solar Flux|W m**-2|
260350|dtrf||Downward Total radiation Flux|W m**-2|
260351|utrf||Upward Total radiation Flux|W m**-2|
260354|lwhr||Long-Wave Radiative Heating Rate|K s**-1|
260355|csulf||Clear Sky Upward Long Wave Flux|W m**-2|
260356|csdlf||Clear Sky Downward Long Wave Flux|W m**-2|
260357|cfnlf||Cloud Forcing Net Long Wave Flux|W m**-2|
260360|sot||Soil temperature|K|
260362|suswrfcs||Surface upward short-wave radiation flux, clear sky|W m**-2|
260364|sohf||Soil heat flux|W m**-2|
260365|percr||Percolation rate|kg m**-2 s**-1|
260366|mflux||Convective Cloud Mass Flux|Pa s**-1|
260367|sod||Soil depth|m|
260368|som||Soil moisture|kg m**-3|
260369|ri||Richardson Number|Numeric|
260370|cwdi||Convective Weather Detection Index||
260372|uphl||Updraft Helicity|m**2 s**-2|
260373|lai||Leaf Area Index|Numeric|
260374|pmtc||Particulate matter (coarse)|(10**-6 g) m**-3|
260375|pmtf||Particulate matter (fine)|(10**-6 g) m**-3|
260376|lpmtf||Particulate matter (fine)|log10((10**-6g) m**-3)|
260377|lipmf||Integrated column particulate matter (fine)|log10((10**-6g) m**-3)|
260379|ozcon||Ozone Concentration (PPB)|ppb|
260380|ozcat||Categorical Ozone Concentration|dimensionless|
260381|vdfoz||Ozone vertical diffusion|kg (kg s**-1)**-1|
260382|poz||Ozone production|kg (kg s**-1)**-1|
260383|toz||Ozone tendency|kg (kg s**-1)**-1|
260384|pozt||Ozone production from temperature term|kg (kg s**-1)**-1|
260385|pozo||Ozone production from col ozone term|kg (kg s**-1)**-1|
260386|refzr||Derived radar reflectivity backscatter from rain|mm**6 m**-3|
260387|refzi||Derived radar reflectivity backscatter from ice|mm**6 m**-3|
260388|refzc||Derived radar reflectivity backscatter from parameterized convection|mm**6 m**-3|
260389|refd||Derived radar reflectivity|dB|
260390|refc||Maximum/Composite radar reflectivity|dB|
260391|ltng||Lightning|dimensionless|
260394|srcono||Slight risk convective outlook|categorical|
260395|mrcono||Moderate risk convective outlook|categorical|
260396|hrcono||High risk convective outlook|categorical|
260397|torprob||Tornado probability|%|
260398|hailprob||Hail probability|%|
260399|windprob||Wind probability|%|
260400|storprob||Significant Tornado probability|%|
260401|shailpro||Significant Hail probability|%|
260402|swindpro||Significant Wind probability|%|
260403|tstmc||Categorical Thunderstorm (1-yes, 0-no)|categorical|
260404|mixly||Number of mixed layers next to surface|Integer|
260405|flght||Flight Category||
260406|cicel||Confidence - Ceiling||
260407|civis||Confidence - Visibility||
260408|ciflt||Confidence - Flight Category||
260409|lavni||Low-Level aviation interest||
260410|havni||High-Level aviation interest||
260411|sbsalb||Visible, Black Sky Albedo|%|
260412|swsalb||Visible, White Sky Albedo|%|
260413|nbsalb||Near IR, Black Sky Albedo|%|
260414|nwsalb||Near IR, White Sky Albedo|%|
260415|prsvr||Total Probability of Severe Thunderstorms (Days 2,3)|%|
260416|prsigsvr||Total Probability of Extreme Severe Thunderstorms (Days 2,3)|%|
260417|sipd||Supercooled Large Droplet (SLD) Potential||
260418|epsr||Radiative emissivity||
260419|tpfi||Turbulence Potential Forecast Index||
260420|vaftd||Volcanic Ash Forecast Transport and Dispersion|log10(kg m**-3)|
260421|nlat||Latitude (-90 to +90)|deg|
260422|elon||East Longitude (0 - 360)|deg|
260424|mlyno||Model Layer number (From bottom up)||
260425|nlatn||Latitude (nearest neighbor) (-90 to +90)|deg|
260426|elonn||East Longitude (nearest neighbor) (0 - 360)|deg|
260427|auswrf_cs||Accumulated surface upward short-wave radiation flux, clear sky|J m**-2|
260429|cpozp||Probability of Freezing Precipitation|%|
260430|perc||Percolation|kg m**-2|
260431|ppffg||Probability of precipitation exceeding flash flood guidance values|%|
260432|cwr||Probability of Wetting Rain, exceeding in 0.10 in a given time period|%|
260433|etr||Evapotranspiration rate|kg m**-2 s**-1|
260439|vgtyp||Vegetation Type|Integer(0-13)|
260442|wilt||Wilting Point|Fraction|
260447|rdrip||Rate of water dropping from canopy to ground||
260448|icwat||Ice-free water surface|%|
260449|akhs||Surface exchange coefficients for T and Q divided by delta z|m s**-1|
260450|akms||Surface exchange coefficients for U and V divided by delta z|m s**-1|
260451|vegt||Vegetation canopy temperature|K|
260452|sstor||Surface water storage|kg m**-2|
260453|lsoil||Liquid soil moisture content (non-frozen)|kg m**-2|
260454|ewatr||Open water evaporation (standing water)|W m**-2|
260455|gwrec||Groundwater recharge|kg m**-2|
260456|qrec||Flood plain recharge|kg m**-2|
260457|sfcrh||Roughness length for heat|m|
260458|ndvi||Normalized Difference Vegetation Index||
260459|landn||Land-sea coverage (nearest neighbor) [land=1,sea=0]||
260460|amixl||Asymptotic mixing length scale|m|
260461|wvinc||Water vapor added by precip assimilation|kg m**-2|
260462|wcinc||Water condensate added by precip assimilation|kg m**-2|
260463|wvconv||Water Vapor Flux Convergence (Vertical Int)|kg m**-2|
260464|wcconv||Water Condensate Flux Convergence (Vertical Int)|kg m**-2|
260465|wvuflx||Water Vapor Zonal Flux (Vertical Int)|kg m**-2|
260466|wvvflx||Water Vapor Meridional Flux (Vertical Int)|kg m**-2|
260467|wcuflx||Water Condensate Zonal Flux (Vertical Int)|kg m**-2|
260468|wcvflx||Water Condensate Meridional Flux (Vertical Int)|kg m**-2|
260469|acond||Aerodynamic conductance|m s**-1|
260470|evcw||Canopy water evaporation|W m**-2|
260471|trans||Transpiration|W m**-2|
260474|sltyp||Surface Slope Type|Index|
260478|evbs||Direct evaporation from bare soil|W m**-2|
260479|lspa||Land Surface Precipitation Accumulation|kg m**-2|
260480|baret||Bare soil surface skin temperature|K|
260481|avsft||Average surface skin temperature|K|
260482|radt||Effective radiative skin temperature|K|
260483|fldcp||Field Capacity|Fraction|
260484|usct||Scatterometer Estimated U Wind Component|m s**-1|
260485|vsct||Scatterometer Estimated V Wind Component|m s**-1|
260486|wstp||Wave Steepness||
260487|omlu||Ocean Mixed Layer U Velocity|m s**-1|
260488|omlv||Ocean Mixed Layer V Velocity|m s**-1|
260489|ubaro||Barotropic U velocity|m s**-1|
260490|vbaro||Barotropic V velocity|m s**-1|
260491|surge||Storm Surge|m|
260492|etsrg||Extra Tropical Storm Surge|m|
260493|elevhtml||Ocean Surface Elevation Relative to Geoid|m|
260494|sshg||Sea Surface Height Relative to Geoid|m|
260495|p2omlt||Ocean Mixed Layer Potential Density (Reference 2000m)<br|kg m**-3|
260496|aohflx||Net Air-Ocean Heat Flux|W m**-2|
260497|ashfl||Assimilative Heat Flux|W m**-2|
260498|sstt||Surface Temperature Trend|degreeperday|
260499|ssst||Surface Salinity Trend|psuperday|
260500|keng||Kinetic Energy|J kg**-1|
260501|sltfl||Salt Flux|kg (m**2 s**-1)**-1|
260502|wtmpc||3-D Temperature|deg C|
260503|salin||3-D Salinity||
260504|bkeng||Barotropic Kinetic Energy|J kg**-1|
260505|dbss||Geometric Depth Below Sea Surface|m|
260506|intfd||Interface Depths|m|
260507|ohc||Ocean Heat Content|J m**-2|
260509|al||Forecast albedo|%|surface_albedo
260510|clbt||Cloudy brightness temperature|K|
260511|csbt||Clear-sky brightness temperature|K|
260512|cdrfl||Cloudy reflectance|%|
260513|crrfl||Clear reflectance|%|
260530||p260530|Scaled radiance|Numeric|
260531||p260531|Scaled albedo|Numeric|
260532||p260532|Scaled brightness temperature|Numeric|
260533||p260533|Scaled precipitable water|Numeric|
260534||p260534|Scaled lifted index|Numeric|
260535||p260535|Scaled cloud top pressure|Numeric|
260536||p260536|Scaled skin temperature|Numeric|
260537||p260537|Cloud mask|(Code table 4.217)|
260538||p260538|Pixel scene type|(Code table 4.218)|
260539||p260539|Fire detection indicator|(Code table 4.223)|
260540|fwinx||Forest fire weather index (as defined by the Canadian Forest Service)|Numeric|
260541|ffmcode||Fine fuel moisture code (as defined by the Canadian Forest Service)|Numeric|
260542|dufmcode||Duff moisture code (as defined by the Canadian Forest Service)|Numeric|
260543|drtcode||Drought code (as defined by the Canadian Forest Service)|Numeric|
260544|infsinx||Initial fire spread index (as defined by the Canadian Forest Service)|Numeric|
260545|fbupinx||Fire buildup index (as defined by the Canadian Forest Service)|Numeric|
260546|fdsrte||Fire daily severity rating (as defined by the Canadian Forest Service)|Numeric|
260550||p260550|Cloudy radiance (with respect to wave number)|W m**-1 sr**-1|
260551||p260551|Clear-sky radiance (with respect to wave number)|W m**-1 sr**-1|
260552||p260552|Wind speed|m s**-1|
260553||p260553|Aerosol optical thickness at 0.635 um|dimensionless|
260554||p260554|Aerosol optical thickness at 0.810 um|dimensionless|
260555||p260555|Aerosol optical thickness at 1.640 um|dimensionless|
260556||p260556|Angstrom coefficient|dimensionless|
260557|kbdi||Keetch-Byram drought index|Numeric|
260558|drtmrk||Drought factor (as defined by the Australian forest service)|Numeric|
260559|rosmrk||Rate of spread (as defined by the Australian forest service)|m s**-1|
260560|fdimrk||Fire danger index (as defined by the Australian forest service)|Numeric|
260561|scnfdr||Spread component (as defined by the U.S Forest Service National Fire-Danger Rating System)|Numeric|
260562|buinfdr||Burning index (as defined by the U.S Forest Service National Fire-Danger Rating System)|Numeric|
260563|icnfdr||Ignition component (as defined by the U.S Forest Service National Fire-Danger Rating System)|%|
260564|ercnfdr||Energy release component (as defined by the U.S Forest Service National Fire-Danger Rating System)|J m**-2|
260565|pof||Probability of fire detection|%|
260566|pil||Probability of ignition from lightning|%|
260644|vsi||Volumetric soil ice|m**3 m**-3|
260645|titspf||Time integral of total solid precipitation flux|kg m**-2|
260646|10efg|efg10|10 metre eastward wind gust since previous post-processing|m s**-1|
260647|10nfg|nfg10|10 metre northward wind gust since previous post-processing|m s**-1|
260648|fog||Fog|%|
260651|srlh||Surface roughness length for heat|m|
260652|etssofd||Time-integrated eastward turbulent surface stress due to orographic form drag|N m**-2 s|
260653|ntssofd||Time-integrated northward turbulent surface stress due to orographic form drag|N m**-2 s|
260654|etsssr||Time-integrated eastward turbulent surface stress due to surface roughness|N m**-2 s|
260655|ntsssr||Time-integrated northward turbulent surface stress due to surface roughness|N m**-2 s|
260656|sqw||Saturation specific humidity with respect to water|kg m**-3|
260657|tcsqw||Total column integrated saturation specific humidity with respect to water|kg m**-2|
260658|spi||Standardised Precipitation Index (SPI)|Numeric|
260659|spei||Standardised Precipitation Evapotranspiration Index (SPEI)|Numeric|
260660|ssfi||Standardised Streamflow Index (SSFI)|Numeric|
260661|srsi||Standardised Reservoir Supply Index (SRSI)|Numeric|
260662|swi||Standardised Water-level Index (SWI)|Numeric|
260663|smri||Standardised Snowmelt and Rain Index (SMRI)|Numeric|
260664|sdi||Streamflow Drought Index (SDI)|Numeric|
260686|10cogu|cogu10|10 metre convective gust|m s**-1|
260687|10tugu|tugu10|10 metre turbulent gust|m s**-1|
260688|rol||Reciprocal Obukhov length|m**-1|
260689|rdpr||Precipitation rate from radar|kg m**-2 s**-1|
260690|rdqi||Radar data quality index|Proportion|
260691|rdqf||Radar data quality flag|(Code table 4.106)|
260692|frdpr||Precipitation rate from forecasted radar imagery|kg m**-2 s**-1|
260693|frdp||Precipitation from forecasted radar imagery|kg m**-2|
260694|sdifswrfcs||Surface diffuse short-wave radiation flux, clear sky|W m**-2|
260696|hlcr||Storm relative helicity - right moving storm|m**2 s**-2|
260697|hlcl||Storm relative helicity - left moving storm|m**2 s**-2|
260698|ehlm||Effective storm relative helicity - mean flow|m**2 s**-2|
260699|ehlr||Effective storm relative helicity - right moving storm|m**2 s**-2|
260700|ehll||Effective storm relative helicity - left moving storm|m**2 s**-2|
261001|utci||Universal thermal climate index|K|
261002|mrt||Mean radiant temperature|K|
261003|mal_cases_frac||Fraction of Malaria cases|Fraction|
261004|mal_prot_ratio||Malaria circumsporozoite protein ratio|Fraction|
261005|mal_innoc_rate||Plasmodium falciparum entomological inoculation rate|Bites per day per person|
261006|mal_hbite_rate||Human bite rate by anopheles vectors|Bites per day per person|
261007|mal_immun_ratio||Malaria immunity ratio|Fraction|
261008|mal_infect_ratio||Falciparum parasite ratio|Fraction|
261009|mal_infect_d10_ratio||Detectable falciparum parasite ratio (after day 10)|Fraction|
261010|mal_host_ratio||Anopheles vector to host ratio|Fraction|
261011|mal_vect_dens||Anopheles vector density|Number m**-2|
261012|mal_hab_frac||Fraction of malarial vector reproductive habitat|Fraction|
261013|pop_dens||Population density|Person m**-2|
261014|wbgt||Wet bulb globe temperature|K|
261015|gt||Globe temperature|K|
261016|hmdx||Humidex|K|
261017|efft||Effective temperature|K|
261018|nefft||Normal effective temperature|K|
261019|sefft||Standard effective temperature|K|
261020|peqt||Physiological equivalent temperature|K|
261021|swvp||Saturation water vapour pressure|Pa|
261022|wbpt||Wet-bulb potential temperature|K|
261023|wbt||Wet-bulb temperature|K|
261024|exhf||Excess heat factor|K**2|
261025|excf||Excess cold factor|K**2|
262000|sithick||Sea ice thickness|m|
262001|siconc||Sea ice area fraction|Fraction|
262003|siue||Eastward sea ice velocity|m s**-1|
262004|sivn||Northward sea ice velocity|m s**-1|
262005|sialb||Sea ice albedo|Fraction|
262006|sitemptop||Sea ice surface temperature|K|
262007|sigrowth||Sea ice growth|m s**-1|
262008|sivol||Sea ice volume per unit area|m**3 m**-2|
262009|snvol||Snow volume over sea ice per unit area|m**3 m**-2|
262011|sntemp||Snow temperature over sea ice|K|
262012|sisntemp||Sea ice temperature at the sea ice and snow interface|K|
262013|usitemp||Underside ice temperature|K|
262014|sihc||Sea ice heat content|J m**-2|
262015|snhc||Snow heat content over sea ice|J m**-2|
262017|sipf||Sea ice melt pond fraction|Proportion|
262018|sipd||Sea ice melt pond depth|m|
262019|sipvol||Sea ice melt pond volume per unit area|m**3 m**-2|
262020|bckinsic||Sea ice fraction tendency due to parameterization|s**-1|
262021|six||X-component of sea ice velocity|m s**-1|
262022|siy||Y-component of sea ice velocity|m s**-1|
262025|sibm||Sea ice breakup memory|Numeric|
262100|sos||Sea surface practical salinity|g kg**-1|sea_surface_salinity
262101|tos||Sea surface temperature|K|
262102|t14d||Depth of 14 C isotherm|m|
262103|t17d||Depth of 17 C isotherm|m|
262104|t20d||Depth of 20 C isotherm|m|depth_of_isosurface_of_sea_water_potential_temperature
262105|t26d||Depth of 26 C isotherm|m|
262106|t28d||Depth of 28 C isotherm|m|
262107|stfbarot||Barotropic stream function|m**3 s**-1|
262108|hfds||Surface downward heat flux|W m**-2|
262109|tauvon||Northward surface stress|N m**-2|
262110|tauuoe||Eastward surface stress|N m**-2|
262111|tauvo||Y-component of surface stress|N m**-2|
262112|tauuo||X-component of surface stress|N m**-2|
262113|mlotst010||Ocean mixed layer depth defined by sigma theta 0.01 kg m-3|m|ocean_mixed_layer_thickness_defined_by_sigma_theta
262114|mlotst030||Ocean mixed layer depth defined by sigma theta 0.03 kg m-3|m|
262115|mlotst125||Ocean mixed layer depth defined by sigma theta 0.125 kg m-3|m|
262116|mlott02||Ocean mixed layer depth defined by temperature 0.2 C|m|
262117|mlott05||Ocean mixed layer depth defined by temperature 0.5 C|m|
262120|scbtm||Total column average sea water practical salinity|g kg**-1|
262123|hcbtm||Total column of heat content|J m**-2|
262124|zos||Sea surface height|m|sea_surface_height_above_geoid
262125|stheig||Steric change in sea surface height|m|
262126|hstheig||Halosteric change in sea surface height|m|
262127|tstheig||Thermosteric change in sea surface height|m|
262128|thcline||Thermocline depth|m|
262129|btp||Bottom pressure equivalent height|m|
262130|swfup||Net surface upward water flux|kg m**-2 s**-1|
262131|fw2sw||Fresh water flux into sea water (from rivers)|kg m**-2 s**-1|
262132|vsf2sw||Virtual salt flux into sea water|g kg**-1 m**-2 s**-1|
262133|hfcorr||Heat flux correction|W m**-2|heat_flux_correction
262134|fwcorr||Fresh water flux correction|kg m**-2 s**-1|
262135|vsfcorr||Virtual salt flux correction|g kg**-1 m**-2 s**-1|
262136|turbocl||Turbocline depth (kz=5e-4)|m|
262137|svy||Y-component of surface sea water velocity|m s**-1|
262138|svx||X-component of surface sea water velocity|m s**-1|
262139|svn||Northward surface sea water velocity|m s**-1|
262140|sve||Eastward surface sea water velocity|m s**-1|
262142|bckineta||Sea surface height tendency due to parameterization|m s**-1|
262143|zosib||Sea surface height with inverse barometer correction|m|
262145|sss||Sea surface salinity|kg kg**-1|
262148|scbtv||Total column vertically integrated sea water practical salinity|g kg**-1 m|
262149|rsdos||Sea surface downward short-wave radiation flux|W m**-2|
262500|so||Sea water practical salinity|g kg**-1|
262501|thetao||Sea water potential temperature|K|
262502|sigmat||Sea water sigma theta|kg m**-3|
262503|voy||Y-component of sea water velocity|m s**-1|
262504|uox||X-component of sea water velocity|m s**-1|
262505|von||Northward sea water velocity|m s**-1|
262506|uoe||Eastward sea water velocity|m s**-1|
262507|wo||Upward sea water velocity|m s**-1|
262508|thetaodmp||Sea water potential temperature tendency due to newtonian relaxation|K s**-1|
262509|sodmp||Sea water salinity tendency due to newtonian relaxation|g kg**-1 s**-1|
262510|bckint||Sea water temperature tendency due to parameterization|K s**-1|
262511|bckins||Sea water salinity tendency due to parameterization|g kg**-1 s**-1|
262512|bckine||Eastward sea water velocity tendency due to parameterization|m s**-2|
262513|bckinn||Northward sea water velocity tendency due to parameterization|m s**-2|
262514|tdbiascorr||Sea water temperature tendency due to direct bias correction|K s**-1|
262515|sdbiascorr||Sea water salinity tendency due to direct bias correction|g kg**-1 s**-1|
262516|salo||Sea water salinity|kg kg**-1|
262517|mtn||Northward mass transport|kg m**-2 s**-1|
262518|mte||Eastward mass transport|kg m**-2 s**-1|
262519|zo||Sea water depth|m|
262520|mtup||Sea water upward mass transport|kg m**-2 s**-1|
262521|agessc||Sea water age since surface contact|s|
262522|rsdo||Sea water downward short-wave radiation flux|W m**-2|
262901|wst_sea||Wind stress at sea surface|N m**-2|
262902|10ws_sea|ws10_sea|Wind speed at 10m above sea surface|m s**-1|
262903|10nd_sea|nd10_sea|Neutral drag coefficient at 10m above sea surface|dimensionless|
262906|ewst_sea||Eastward component of wind stress over sea ice|N m**-2|
262907|nwst_sea||Northward component of wind stress over sea ice|N m**-2|
262908|uwst_sea||U-component of wind stress over sea ice|N m**-2|
262909|vwst_sea||V-component of wind stress over sea ice|N m**-2|
300012|vtmp||Virtual temperature|K|
7001292|SUNSD||Sunshine Duration|s|
7001293|ICSEV||Icing severity|Numeric|
7001294|AMSRE10||Simulated Brightness Temperature for AMSRE on Aqua, Channel 10|K|
7001295|AMSRE11||Simulated Brightness Temperature for AMSRE on Aqua, Channel 11|K|
7001296|AMSRE12||Simulated Brightness Temperature for AMSRE on Aqua, Channel 12|K|
7001297|AMSRE9||Simulated Brightness Temperature for AMSRE on Aqua, Channel 9|K|
7001298|SBC123||Simulated Brightness Counts for GOES 12, Channel 3|Byte|
7001299|SBC124||Simulated Brightness Counts for GOES 12, Channel 4|Byte|
7001300|SBT112||Simulated Brightness Temperature for GOES 11, Channel 2|K|
7001301|SBT113||Simulated Brightness Temperature for GOES 11, Channel 3|K|
7001302|SBT114||Simulated Brightness Temperature for GOES 11, Channel 4|K|
7001303|SBT115||Simulated Brightness Temperature for GOES 11, Channel 5|K|
7001304|SBT122||Simulated Brightness Temperature for GOES 12, Channel 2|K|
7001305|SBT123||Simulated Brightness Temperature for GOES 12, Channel 3|K|
7001306|SBT124||Simulated Brightness Temperature for GOES 12, Channel 4|K|
7001307|SBT126||Simulated Brightness Temperature for GOES 12, Channel 6|K|
7001308|SBTA1610||Simulated Brightness Temperature for ABI GOES-16, Band-10|K|
7001309|SBTA1611||Simulated Brightness Temperature for ABI GOES-16, Band-11|K|
7001310|SBTA1612||Simulated Brightness Temperature for ABI GOES-16, Band-12|K|
7001311|SBTA1613||Simulated Brightness Temperature for ABI GOES-16, Band-13|K|
7001312|SBTA1614||Simulated Brightness Temperature for ABI GOES-16, Band-14|K|
7001313|SBTA1615||Simulated Brightness Temperature for ABI GOES-16, Band-15|K|
7001314|SBTA1616||Simulated Brightness Temperature for ABI GOES-16, Band-16|K|
7001315|SBTA167||Simulated Brightness Temperature for ABI GOES-16, Band-7|K|
7001316|SBTA168||Simulated Brightness Temperature for ABI GOES-16, Band-8|K|
7001317|SBTA169||Simulated Brightness Temperature for ABI GOES-16, Band-9|K|
7001318|SBTA1710||Simulated Brightness Temperature for ABI GOES-17, Band-10|K|
7001319|SBTA1711||Simulated Brightness Temperature for ABI GOES-17, Band-11|K|
7001320|SBTA1712||Simulated Brightness Temperature for ABI GOES-17, Band-12|K|
7001321|SBTA1713||Simulated Brightness Temperature for ABI GOES-17, Band-13|K|
7001322|SBTA1714||Simulated Brightness Temperature for ABI GOES-17, Band-14|K|
7001323|SBTA1715||Simulated Brightness Temperature for ABI GOES-17, Band-15|K|
7001324|SBTA1716||Simulated Brightness Temperature for ABI GOES-17, Band-16|K|
7001325|SBTA177||Simulated Brightness Temperature for ABI GOES-17, Band-7|K|
7001326|SBTA178||Simulated Brightness Temperature for ABI GOES-17, Band-8|K|
7001327|SBTA179||Simulated Brightness Temperature for ABI GOES-17, Band-9|K|
7001328|SRFA161||Simulated Reflectance Factor for ABI GOES-16, Band-1||
7001329|SRFA162||Simulated Reflectance Factor for ABI GOES-16, Band-2||
7001330|SRFA163||Simulated Reflectance Factor for ABI GOES-16, Band-3||
7001331|SRFA164||Simulated Reflectance Factor for ABI GOES-16, Band-4||
7001332|SRFA165||Simulated Reflectance Factor for ABI GOES-16, Band-5||
7001333|SRFA166||Simulated Reflectance Factor for ABI GOES-16, Band-6||
7001334|SRFA171||Simulated Reflectance Factor for ABI GOES-17, Band-1||
7001335|SRFA172||Simulated Reflectance Factor for ABI GOES-17, Band-2||
7001336|SRFA173||Simulated Reflectance Factor for ABI GOES-17, Band-3||
7001337|SRFA174||Simulated Reflectance Factor for ABI GOES-17, Band-4||
7001338|SRFA175||Simulated Reflectance Factor for ABI GOES-17, Band-5||
7001339|SRFA176||Simulated Reflectance Factor for ABI GOES-17, Band-6||
7001353|VRATE||Ventilation Rate|m**2 s**-1|`;

/** Discipline, category and number: a parameter, and others by statistic, level type and level. */
export const SECOND_EDITION = `0.0.0 130 :103:2=167 2:103:2=201 3:103:2=202 0::=235130 0:103:2=228004
0.0.1 300012
0.0.2 3 0::=235269
0.0.3 3014
0.0.6 3017 :103:2=168 0:103:2=235168
0.0.8 3019
0.0.9 3025
0.0.10  1:1:=147 0:1:=235034
0.0.11  1:1:=146 :1:=231 0:1:=235033
0.0.12 260004
0.0.13 260005
0.0.15 3012
0.0.16 260007
0.0.17  :1:=235 0:1:=235079
0.0.20  0::=235014 1::=162109
0.0.21 260255
0.0.22  0::=235001 1::=162100
0.0.23  0::=235002 1::=162101
0.0.24  0::=235003 1::=162102
0.0.25  0::=235004 1::=162103
0.0.26  0::=235005 1::=162110
0.0.27 261023
0.0.28 21
0.0.30  1:1:=235019
0.0.31  1:1:=235071
0.0.32 261022
0.0.192.7 260007
0.0.193.7 260243
0.0.194.7 260244
0.0.195.7 260245
0.0.196.7 260246
0.0.197.7 260247
0.0.198.7 260248
0.0.199.7 260249
0.0.200.7 260250
0.0.201.7 260251
0.0.202.7 260252
0.0.203.7 260253
0.0.204.7 260254
0.1.0 133 :103:2=174096 0:103:2=235089 0::=235133 1:1:=133
0.1.1 157 0:103:2=235092 0::=235157 :103:2=260242 1:1:=157
0.1.3 3054 1:1:=3054
0.1.4 260008 1:1:=260008
0.1.5 3056 1:1:=3056
0.1.7 3059 1:1:=3059
0.1.8  1:1:=228228
0.1.9 260009 1:1:=260009
0.1.10 3063 1:1:=3063
0.1.11 3066 1:1:=3066
0.1.12 260010 1:1:=260010
0.1.13 260056 1:1:=260056
0.1.14 260011 1:1:=260011
0.1.15 260012 1:1:=260012
0.1.17 260013 1:1:=260013
0.1.18 260014 1:1:=260014
0.1.19 260015 1:1:=260015
0.1.20 260016 1:1:=260016
0.1.21 260017 1:1:=260017
0.1.22 260018 1:1:=260018
0.1.23 260019 1:1:=260019
0.1.24 260020 1:1:=260020
0.1.25 260021 1:1:=260021
0.1.26 260022 1:1:=260022
0.1.27  1:1:=260023
0.1.28  1:1:=260024
0.1.30 260026 1:1:=260026
0.1.31 260027 1:1:=260027
0.1.32 260028 1:1:=260028
0.1.33 260029 1:1:=260029
0.1.34 260030 1:1:=260030
0.1.35 260031 1:1:=260031
0.1.36 260032 1:1:=260032
0.1.37  1:1:=228143 0:1:=235030 :1:=260033
0.1.38 260034 1:1:=260034
0.1.39 260035 1:1:=260035
0.1.40 260036 1:1:=260036
0.1.42 260038 1:1:=260038
0.1.43 260039 1:1:=260039
0.1.44 260040 1:1:=260040
0.1.45 260041 :1:=228089 0:1:=235111 1:1:=260041
0.1.46 260042 :1:=228090 0:1:=235107 1:1:=260042
0.1.47 260043 1:1:=260043
0.1.48 260044 1:1:=260044
0.1.49 260045 1:1:=260045
0.1.51 260047 :1:=136 0:1:=235136 1:1:=260047
0.1.52  2:1:=228226 3:1:=228227 0:1:=235055 1::=162108 1:1:=228228
0.1.53  0:1:=235031 1:1:=228144
0.1.54  1:1:=3062 0:1:=235029
0.1.55  :1:=228220 0:1:=235056 1:1:=231057
0.1.56  :1:=228221 0:1:=235057 1:1:=231058
0.1.57 260053 1:1:=260025
0.1.58 260054 1:1:=260054
0.1.59 260055 1:1:=260055
0.1.60 228141 0::=235078 1:1:=228141
0.1.61 33 0::=235080 1:1:=33
0.1.64  :1:=137 0:1:=235137
0.1.65 260058 1:1:=235015
0.1.66 260059 1:1:=260046
0.1.67  0:1:=235341 1:1:=231001
0.1.68 260061 1:1:=260061
0.1.69  :1:=78 0:1:=235087
0.1.70  :1:=79 0:1:=235088
0.1.74  0:1:=235120
0.1.75  1:1:=231040
0.1.76  :1:=228218 0:1:=235330 1:1:=228218
0.1.77  :1:=228219 0:1:=235331 1:1:=228219
0.1.79  :1:=232 0:1:=235043 1:1:=260259
0.1.83 246 0::=235246 1:1:=246
0.1.84 247 0::=235247 1:1:=247
0.1.85 75 0::=235101 1:1:=75
0.1.86 76 0::=235102 1:1:=76
0.1.93 228030 :103:2=228037 0::=235319 0:103:2=235320 1:1:=228030
0.1.94 228031 1:1:=228031
0.1.108  0::=235006 1::=162111 1:1:=162111
0.1.118 228054 1:1:=228054
0.1.119 228055 1:1:=228055
0.1.120 228056 1:1:=228056
0.1.121 260289 0::=235093 1:1:=260289
0.1.128  1:1:=260645
0.1.143  0:1:=235070 1:1:=231005
0.1.144 260292 1:1:=260292
0.1.145 260293 1:1:=260293
0.1.148  0:1:=235023 1:1:=231003
0.1.150  0:1:=235364 :1:=162071
0.1.151  0:1:=235365 :1:=162072
0.1.152  0:1:=235366
0.1.153  0:1:=235367
0.1.154  0:1:=235368
0.1.155  0:1:=235369
0.1.156  0:1:=235370
0.1.157  0:1:=235371
0.1.158  0:1:=235372
0.1.159  0:1:=235373
0.1.160  0:1:=235359
0.1.161  0:1:=235360
0.1.162  0:1:=235361
0.1.163  0:1:=235362
0.1.164  0:1:=235363
0.1.165  1:1:=213 0::=235054 :1:=162084
0.1.166  :1:=132045
0.1.167  :1:=228088 0:1:=235327
0.1.168 260656 1:1:=260656
0.1.169  0:1:=235338 :1:=260657
0.1.192.7 260029
0.1.192.98  1:1:=235072
0.1.193.7 260030
0.1.193.98  1:1:=228 0:1:=172228
0.1.194.7 260031
0.1.194.98  1:1:=228216
0.1.195.7 260032
0.1.195.98  1:1:=143 0:1:=172143
0.1.196.7 260033
0.1.196.98  1:1:=142 0:1:=172142
0.1.197.7 260022
0.1.197.98  1:1:=44
0.1.198.7 260261
0.1.198.98  1:1:=144 0:1:=172144
0.1.199.7 260036
0.1.199.98  1:1:=182 0:1:=172182
0.1.200.98  1:1:=228251
0.1.201.7 260038
0.1.201.98  1:1:=239
0.1.202.7 260039
0.1.202.98  1:1:=240
0.1.203.7 260040
0.1.204.7 260041
0.1.205.7 260042
0.1.206.7 260269
0.1.207.7 260270
0.1.208.7 260271
0.1.209.7 260272
0.1.210.7 260273
0.1.211.7 260274
0.1.212.7 260275
0.1.213.7 260276
0.1.214.7 260277
0.1.215.7 260278
0.1.216.7 260279
0.1.217.7 260280
0.1.218.7 260281
0.1.219.7 260282
0.1.220.7 260283
0.1.221.7 260284
0.1.222.7 260285
0.1.223.7 260286
0.1.224.7 260287
0.1.225.7 260288
0.1.254.98 141 0::=235141
0.2.0 3031 0::=235106 0:103:10=235261 :103:10=260260
0.2.1 10 :103:10=207 :103:200=228241 :103:100=228249 0::=235097 :102:10=262902 0:103:10=228005
0.2.2 131 :103:10=165 :103:200=228239 0::=235131 0:103:10=235165 :103:100=228246
0.2.3 132 :103:10=166 :103:200=228240 0::=235132 0:103:10=235166 :103:100=228247
0.2.4 1
0.2.5 2
0.2.6 53 0::=235286
0.2.7 3038
0.2.8 135 0::=235135
0.2.9 260238
0.2.10 3041
0.2.11 3042
0.2.12 138 0::=235138
0.2.13 155 0::=235155
0.2.14 60 0::=235100
0.2.15 3045
0.2.16 3046
0.2.17  1:1:=235017
0.2.18  1:1:=235018
0.2.19 3126
0.2.20  1::=145 0::=235032
0.2.22 260065 2:103:10=49 :103:10=228029 0:103:10=235318
0.2.23 260066 2:103:10=260646
0.2.24 260067 2:103:10=260647
0.2.25 260068
0.2.26 260069
0.2.27 260070
0.2.28 260071
0.2.29 260072 :102:10=262903
0.2.30 260073
0.2.32 77 0::=235103
0.2.39  0::=235007 1::=162112
0.2.40  0::=235008 1::=162113
0.2.45 23
0.2.47  0:1:=235395
0.2.49  :160:0=262901
0.2.50  :174:=262906
0.2.51  :174:=262907
0.2.52  :174:=262908
0.2.53  :174:=262909
0.2.54  :1:=245 0:1:=235245
0.2.56  0:103:10=235328 :103:10=228131
0.2.57  0:103:10=235329 :103:10=228132
0.2.58  1:1:=48 0:1:=235025
0.2.62  1:1:=180 :1:=229 0:1:=235041
0.2.63  1:1:=181 :1:=230 0:1:=235042
0.2.64  0:1:=235378 1:1:=260652
0.2.65  0:1:=235379 1:1:=260653
0.2.66  0:1:=235380 1:1:=260654
0.2.67  0:1:=235381 1:1:=260655
0.2.68  0:103:10=235388 :103:10=260686
0.2.69  0:103:10=235389 :103:10=260687
0.2.192.7 260068
0.2.193.7 260069
0.2.194.7 260070
0.2.195.7 260071
0.2.196.7 260072
0.2.197.7 260073
0.2.198.7 260295
0.2.199.7 260296
0.2.200.7 260297
0.2.201.7 260298
0.2.202.7 260299
0.2.203.7 260300
0.2.204.7 260301
0.2.205.7 260302
0.2.206.7 260303
0.2.207.7 260304
0.2.208.7 260305
0.2.209.7 260306
0.2.210.7 260307
0.2.211.7 260308
0.2.212.7 260309
0.2.213.7 260310
0.2.214.7 260311
0.2.215.7 260312
0.2.216.7 260313
0.2.217.7 260314
0.2.218.7 260315
0.2.219.7 260316
0.2.224.7 7001353
0.3.0 54 :1:=134 :101:=151 :7:=228045 :17:=228237 0::=235098 0:1:=235134 0:101:=235151 0:7:=235322 0:17:=235336
0.3.1 260074
0.3.2 3003
0.3.3 3005
0.3.4 129 0::=235129
0.3.5 156 :1:=228002
0.3.7 3009
0.3.8 3026
0.3.9 3027
0.3.10 3089
0.3.11 260076
0.3.12 260077
0.3.13 260078
0.3.14 260079
0.3.15 260080
0.3.16  1:1:=195 0:1:=235045 :1:=260081
0.3.17  1:1:=196 0:1:=235046 :1:=260082
0.3.18 159 0::=235159
0.3.19 260084
0.3.20 160
0.3.21 162
0.3.22 163
0.3.23  1::=197 0::=235047
0.3.24 161
0.3.25  :105:=152 0:105:=235152
0.3.27  0::=235009 1::=162104
0.3.28  0::=235010 1::=162105
0.3.29  0::=235011 1::=162106
0.3.30  0::=235012 1::=162107
0.3.31 22
0.3.32 261021
0.3.34 3008 :20:263.15=228020 :20:273.15=228024 0:20:263.15=235315 0:20:273.15=235317 0:107:273.15=235390 0:107:274.15=235391 0:107:274.65=235392 0:20:276.15=235397
0.3.35  0:1:=235356 :1:=162081
0.3.36  0:1:=235357 :1:=162065
0.3.37  0:1:=235358 :1:=162066
0.3.39  :1:=162053
0.3.40  0:1:=235342 :1:=162073
0.3.41  0:1:=235343 :1:=162074
0.3.42  0:1:=235344
0.3.43  0:1:=235345 :1:=162085
0.3.44 228047 0::=235324
0.3.45 228048 0::=235325
0.3.192.7 260317
0.3.193.7 260080
0.3.194.7 260081
0.3.195.7 260082
0.3.197.7 260084
0.3.198.7 260323
0.3.199.7 260324
0.3.200.7 260325
0.3.201.7 260326
0.3.202.7 260327
0.3.203.7 260328
0.3.204.7 260329
0.3.205.7 260330
0.3.206.7 260331
0.3.207.7 260332
0.3.208.7 260333
0.3.209.7 260334
0.3.210.7 260335
0.3.211.7 260336
0.3.212.7 260337
0.4.0 3111
0.4.1 260086
0.4.3 3117
0.4.4 194
0.4.5 3119
0.4.6 3120
0.4.7  1:1:=169 1:8:=212 0:1:=235035 0:8:=235053 :1:=260087
0.4.8  :1:=260088
0.4.9  1:1:=176 1:8:=178 0:1:=235037 0:8:=235039
0.4.10  1:1:=58 0:1:=235028
0.4.11  1:8:=208 1:1:=210 0:8:=235049 0:1:=235051
0.4.12  1:1:=57 0:1:=235027
0.4.13  1:1:=228021 0:1:=235058
0.4.14  0:1:=235060 :1:=260263
0.4.50 260093
0.4.51 260094
0.4.52  1:1:=228129 0:1:=235068
0.4.53  :1:=260362 1:1:=260427
0.4.54  1:1:=47 0:1:=235339
0.4.60  1:1:=20 0:1:=235022
0.4.61  1:1:=228022 0:1:=235059
0.4.62  0:1:=235387
0.4.63  0:1:=235404 :1:=260694
0.4.192.7 260087
0.4.193.7 260088
0.4.194.7 260340
0.4.195.7 260341
0.4.196.7 260342
0.4.197.7 260343
0.4.198.7 260344
0.4.199.7 260345
0.4.200.7 260346
0.4.201.7 260347
0.4.202.7 260348
0.4.203.7 260349
0.4.204.7 260350
0.4.205.7 260351
0.5.3  1:1:=175 0:1:=235036 :1:=260097
0.5.4  :1:=260098
0.5.5  1:1:=177 1:8:=179 0:1:=235038 0:8:=235040
0.5.6  1:8:=209 1:1:=211 0:8:=235050 0:1:=235052
0.5.8  1:1:=228130 0:1:=235069
0.5.192.7 260097
0.5.193.7 260098
0.5.194.7 260354
0.5.195.7 260355
0.5.196.7 260356
0.5.197.7 260357
0.6.0 260101
0.6.1  :1:=228164
0.6.3 3073 0::=235108
0.6.4 3074 0::=235109
0.6.5 3075 0::=235110
0.6.6 260102
0.6.7 260103
0.6.8 260104
0.6.9 260105
0.6.10 260106
0.6.11  :2:=228023 0:2:=235316
0.6.12 260108
0.6.13 260109 0::=235337
0.6.14 260110
0.6.15 260111
0.6.16 260112
0.6.17 260113
0.6.18 260114
0.6.19 260115
0.6.20 260116
0.6.21 260117
0.6.22 260257
0.6.23 260118
0.6.24  1:1:=189 0:1:=235189
0.6.25 260120
0.6.27 228046 0::=235323
0.6.32 248 0::=235248
0.6.36  1:1:=50 :1:=228217 0:1:=235026
0.6.37 228034
0.6.50  :1:=260648
0.6.51  :1:=235044
0.6.192.7 260110
0.6.192.98  :1:=164 0:1:=228006
0.6.193.7 260111
0.6.193.98 186 0::=235186
0.6.194.7 260112
0.6.194.98 187 0::=235187
0.6.195.7 260017
0.6.195.98 188 0::=235188
0.6.196.7 260114
0.6.197.7 260115
0.6.198.7 260116
0.6.199.7 260117
0.6.200.7 260366
0.6.201.7 7001292
0.7.0 3024
0.7.1 3077
0.7.2 260121 0::=235257
0.7.3 260122
0.7.4 260123 0::=235258
0.7.5 260124
0.7.6  :1:=59 :17:=132059 :18:5000=228231 :18:10000=228233 0:17:=235117 0:1:=235287 0:18:5000=235332 0:18:10000=235334
0.7.7  :18:5000=228232 :18:10000=228234 :17:=228236 0:1:=235303 0:18:5000=235333 0:18:10000=235335 :1:=228001
0.7.8 260125
0.7.9 260126
0.7.10 260127
0.7.11 260128
0.7.19  :17:=132044 :1:=228044 0:1:=235321
0.7.22 260688 0::=235396
0.7.23 260696
0.7.24 260697
0.7.25  :28:=260698
0.7.26  :28:=260699
0.7.27  :28:=260700
0.7.192.7 260127
0.7.193.7 260128
0.7.194.7 260369
0.7.195.7 260370
0.7.196.7 260094
0.7.197.7 260372
0.7.198.7 260373
0.13.0 260129
0.13.192.7 260374
0.13.193.7 260375
0.13.194.7 260376
0.13.195.7 260377
0.14.0 260130
0.14.1 203 0::=235203
0.14.2  0:1:=235290 :1:=260132
0.14.192.7 260131
0.14.192.98  :1:=206
0.14.193.7 260379
0.14.194.7 260380
0.14.195.7 260381
0.14.196.7 260382
0.14.197.7 260383
0.14.198.7 260384
0.14.199.7 260385
0.15.0 260133
0.15.1 260134
0.15.2 260135
0.15.3 260136
0.15.4 260137
0.15.6 3021
0.15.7 3022
0.15.8 3023
0.15.17 260689 1::=260138
0.15.18 260690
0.15.19 260691
0.16.6 260692 1::=260693
0.16.192.7 260386
0.16.193.7 260387
0.16.194.7 260388
0.16.195.7 260389
0.16.196.7 260390
0.17.2  :1:=228052
0.17.4  :1:=228050
0.17.192.7 260391
0.18.0 260139
0.18.1 260140
0.18.2 260141
0.18.3 260142
0.18.4 260143
0.18.5 260144
0.18.6 260145
0.18.7 260146
0.18.8 260147
0.19.0 3020 0::=235105
0.19.1 260509 0::=235263
0.19.2 3060
0.19.3 3067
0.19.4 260148
0.19.5 260149
0.19.6 260150
0.19.7 260151
0.19.8 260152
0.19.9 260153
0.19.10 260154
0.19.11 260155
0.19.12 260156
0.19.13 260157
0.19.14 260158
0.19.15 260159
0.19.16 260160
0.19.18 260162
0.19.19 228032 0::=235285
0.19.20 260163
0.19.21 260164
0.19.22 260165
0.19.23 260166
0.19.28 260291
0.19.29 260290 0::=235262
0.19.41 228017 0::=235312
0.19.42 228018 0::=235313
0.19.43 228019 0::=235314
0.19.44 228016 0::=235311
0.19.45 228015 0::=235310
0.19.46  1:1:=149 1:8:=150 0:1:=235149 0:8:=235150
0.19.51  0::=235382
0.19.192.7 260161
0.19.192.98 32
0.19.193.7 260162
0.19.193.98 243 0::=235243
0.19.194.7 260394
0.19.195.7 260395
0.19.196.7 260396
0.19.197.7 260397
0.19.198.7 260398
0.19.199.7 260399
0.19.200.7 260400
0.19.201.7 260401
0.19.202.7 260402
0.19.203.7 260403
0.19.204.7 260404
0.19.205.7 260405
0.19.206.7 260406
0.19.207.7 260407
0.19.208.7 260408
0.19.209.7 260409
0.19.210.7 260410
0.19.211.7 260411
0.19.212.7 260412
0.19.213.7 260413
0.19.214.7 260414
0.19.215.7 260415
0.19.216.7 260416
0.19.217.7 260417
0.19.218.7 260418
0.19.219.7 260419
0.19.232.7 260420
0.19.234.7 7001293
0.21.0  0:1:=235293 :1:=162061
0.21.1  0:1:=235291 :1:=162059
0.21.2  0:1:=235295 :1:=162063
0.21.3  0:1:=235292 :1:=162060
0.21.4  0:1:=235296
0.21.5  0:1:=235346
0.21.6  0:1:=235347
0.21.9  0:1:=235348 :1:=162067
0.21.10  0:1:=235349 :1:=162068
0.21.11  0:1:=235350 :1:=162075
0.21.12  0:1:=235351 :1:=162076
0.21.13  0:1:=235352
0.21.16  0:1:=235353 :1:=162082
0.21.17  0:1:=235354 :1:=162086
0.21.18  0:1:=235355
0.21.19  :1:=162069
0.21.20  :1:=162070
0.21.21  0:1:=235294 :1:=162062
0.22.0 260658
0.22.1 260659
0.22.2 260660
0.22.3 260661
0.22.4 260662
0.22.5 260663
0.22.6 260664
0.190.0 260167
0.190.0.7 260167
0.191.0 260168
0.191.0.7 260168
0.191.1 250001
0.191.1.7 250001
0.191.2 250002
0.191.2.7 250002
0.191.3 240017
0.191.3.7 240017
0.191.4.7 231023
0.191.192.7 260421
0.191.193.7 260422
0.191.194.7 260168
0.191.195.7 260424
0.191.196.7 260425
0.191.197.7 260426
0.254.134.98 228134
0.254.136.98 228136
1.0.0 260169
1.0.1 260170
1.0.2 260171
1.0.3 260172
1.0.4 260173
1.0.5 260174
1.0.6 260175
1.0.7 240013 0::=235270
1.0.8 240028
1.0.9 240029
1.0.10 240012
1.0.11 240014 0::=235398
1.0.12 240015 0::=235399
1.0.13 240020
1.0.14 240021
1.0.15 240022
1.0.16 260365 1:177:=260430
1.0.17 240032 0::=235401
1.0.18 240033 0::=235402
1.0.19 240034 0::=235403
1.0.21 240042 0::=235412
1.0.22 240043 0::=235413
1.0.23 240044 0::=235414
1.0.24 240045 0::=235415
1.0.192.7 260174
1.0.193.7 260175
1.1.0 260176
1.1.1 260177
1.1.2 260178
1.1.192.7 260429
1.1.193.7 260035
1.1.194.7 260431
1.1.195.7 260432
1.2.0  0:166:=235091 :1:=228007 :166:=228009
1.2.1  0:166:=235090 0:162:=235305 0:1:=235306 :166:=228008 :162:=228010 :1:=228011
1.2.2 26
1.2.5  0:174:=235309 :174:=228014
1.2.6 228094 0:174:=235308 :174:=228013
1.2.10 228012 0::=235307
1.2.13 240011
1.2.15  :1:=240030
1.2.16  0:1:=235400 :1:=240031
1.2.17 240035 0::=235274
1.2.18 240036 0::=235275
1.2.19 240037 0::=235276
1.2.20 240038 0::=235277
1.2.21 240039 0::=235278
1.2.22 240040 0::=235279
1.2.23 240041 0::=235280
2.0.0  :1:=172
2.0.1  :1:=244 0:1:=235244
2.0.3 3086
2.0.4 260180 0::=235393
2.0.5 260181
2.0.6 260182
2.0.7 260183
2.0.8 260184
2.0.10 260186
2.0.11 260187
2.0.12 260188
2.0.13 260189
2.0.14 260190
2.0.15 260191
2.0.16 260192
2.0.18 260193
2.0.19 260194
2.0.20 260195
2.0.21 260196
2.0.23 260197
2.0.24 260198
2.0.25 260199 0::=235077 0:1:=235405
2.0.27 260200
2.0.28  0:1:=235394 :1:=260373
2.0.33 228205
2.0.34 174008
2.0.38 260644
2.0.39  1:1:=235073 0:1:=235074 :1:=260433
2.0.40  1:1:=235075 0:1:=235076
2.0.41  0:1:=235024 1:1:=3099
2.0.42  0::=235048
2.0.50 160198 0::=235289
2.0.51  0:1:=235020
2.0.52  0:1:=235021
2.0.53 27 0::=235081
2.0.54 28 0::=235082
2.0.55 66 0::=235085
2.0.56 67 0::=235086
2.0.57 29
2.0.58 30
2.0.62  :1:=124
2.0.192.7 260185
2.0.193.7 260186
2.0.194.7 260187
2.0.195.7 260188
2.0.196.7 260189
2.0.197.7 260190
2.0.198.7 260439
2.0.198.98 228078
2.0.199.7 260191
2.0.199.98 228079
2.0.200.7 260192
2.0.200.98 260651
2.0.201.7 260442
2.0.201.98  1::=205 0:1:=172205
2.0.202.7 260193
2.0.202.98  1:1:=8 0:1:=172008
2.0.203.7 260194
2.0.203.98  1:1:=45
2.0.204.7 260196
2.0.204.98  1:1:=9 0:1:=172009
2.0.205.7 260195
2.0.205.98 198
2.0.206.7 260447
2.0.207.7 260448
2.0.208.7 260449
2.0.209.7 260450
2.0.210.7 260451
2.0.211.7 260452
2.0.212.7 260453
2.0.213.7 260454
2.0.214.7 260455
2.0.215.7 260456
2.0.216.7 260457
2.0.217.7 260458
2.0.218.7 260459
2.0.219.7 260460
2.0.220.7 260461
2.0.221.7 260462
2.0.222.7 260463
2.0.223.7 260464
2.0.224.7 260465
2.0.225.7 260466
2.0.226.7 260467
2.0.227.7 260468
2.0.228.7 260469
2.0.229.7 260470
2.0.230.7 260471
2.3.0 43
2.3.6 260206
2.3.10 260210
2.3.11 260211
2.3.12 260212
2.3.13 260213
2.3.14 260214
2.3.15 260215
2.3.16 260216
2.3.17 260217
2.3.18 260360 0::=235094
2.3.19 260368
2.3.23 228038
2.3.24 240018
2.3.25 240026
2.3.26 260364
2.3.27 260367
2.3.28 238 0::=235238
2.3.30  0:1:=235271 0:151:=235273
2.3.192.7 260205
2.3.193.7 260206
2.3.194.7 260474
2.3.195.7 260207
2.3.196.7 260208
2.3.197.7 260209
2.3.198.7 260478
2.3.199.7 260479
2.3.200.7 260480
2.3.201.7 260481
2.3.202.7 260482
2.3.203.7 260483
2.4.2 260256
2.4.5 260540
2.4.6 260541
2.4.7 260542
2.4.8 260543
2.4.9 260544
2.4.10 260545
2.4.11 260546
2.4.12 260557
2.4.13 260558
2.4.14 260559
2.4.15 260560
2.4.16 260561
2.4.17 260562
2.4.18 260563
2.4.19 260564
2.4.39 210119
2.4.40 210060
2.4.41 210242
2.4.42 210120
2.4.43 260565
2.4.44 260566
2.4.47 210100
2.4.48 210099
2.5.0 260294
2.7.0  0:1:=235386
3.0.0 260530
3.0.1 260531
3.0.2 260532
3.0.3 260533
3.0.4 260534
3.0.5 260535
3.0.6 260536
3.0.7 260537
3.0.8 260538
3.0.9 260539
3.1.0 260218
3.1.1 260219
3.1.2 260220
3.1.3 260221
3.1.4 260222
3.1.5 260223
3.1.6 260224
3.1.7 260225
3.1.8 260226
3.1.9 260227
3.1.10 260228
3.1.11 260229
3.1.12 260230
3.1.13 260231
3.1.14 260510
3.1.15 260511
3.1.16 260550
3.1.17 260551
3.1.19 260552
3.1.20 260553
3.1.21 260554
3.1.22 260555
3.1.23 260556
3.1.24  :1:=214001 0:1:=235340
3.1.31 260512
3.1.32 260513
3.1.192.7 260484
3.1.193.7 260485
3.192.0.7 7001304
3.192.1.7 7001305
3.192.2.7 7001306
3.192.3.7 7001307
3.192.4.7 7001298
3.192.5.7 7001299
3.192.6.7 7001300
3.192.7.7 7001301
3.192.8.7 7001302
3.192.9.7 7001303
3.192.10.7 7001297
3.192.11.7 7001294
3.192.12.7 7001295
3.192.13.7 7001296
3.192.14.7 7001328
3.192.15.7 7001329
3.192.16.7 7001330
3.192.17.7 7001331
3.192.18.7 7001332
3.192.19.7 7001333
3.192.20.7 7001315
3.192.21.7 7001316
3.192.22.7 7001317
3.192.23.7 7001308
3.192.24.7 7001309
3.192.25.7 7001310
3.192.26.7 7001311
3.192.27.7 7001312
3.192.28.7 7001313
3.192.29.7 7001314
3.192.30.7 7001334
3.192.31.7 7001335
3.192.32.7 7001336
3.192.33.7 7001337
3.192.34.7 7001338
3.192.35.7 7001339
3.192.36.7 7001325
3.192.37.7 7001326
3.192.38.7 7001327
3.192.39.7 7001318
3.192.40.7 7001319
3.192.41.7 7001320
3.192.42.7 7001321
3.192.43.7 7001322
3.192.44.7 7001323
3.192.45.7 7001324
10.0.0 3028
10.0.1 3029
10.0.2 3030
10.0.3 132216 0::=141229 2::=143229 3::=144229 6::=145229
10.0.4 260232
10.0.5 140234 0::=141234 2::=143234 3::=144234 6::=145234
10.0.6 140236 0::=141236 2::=143236 3::=144236 6::=145236
10.0.7 3104
10.0.8 140237 0::=141237 2::=143237 3::=144237 6::=145237
10.0.9 140239 0::=141239 2::=143239 3::=144239 6::=145239
10.0.10 260233
10.0.11 260234
10.0.12 3109
10.0.13 260235
10.0.14 140230 0::=141230 2::=143230 3::=144230 6::=145230
10.0.15 140232 0::=141232 2::=143232 3::=144232 6::=145232
10.0.16 140233 0::=141233 2::=143233 3::=144233 6::=145233
10.0.17 228003 0::=235304
10.0.20 140244 0::=141244 2::=143244 3::=144244 6::=145244
10.0.21 140215 0::=141215 2::=143215 3::=144215 6::=145215
10.0.22 140216 0::=141216 2::=143216 3::=144216 6::=145216
10.0.23 140217 0::=141217 2::=143217 3::=144217 6::=145217
10.0.25 140220 0::=141220 2::=143220 3::=144220 6::=145220
10.0.26 140223 0::=141223 2::=143223 3::=144223 6::=145223
10.0.27 140226 0::=141226 2::=143226 3::=144226 6::=145226
10.0.28 140221 0::=141221 2::=143221 3::=144221 6::=145221
10.0.29 140224 0::=141224 2::=143224 3::=144224 6::=145224
10.0.30 140227 0::=141227 2::=143227 3::=144227 6::=145227
10.0.31 140222 0::=141222 2::=143222 3::=144222 6::=145222
10.0.32 140225 0::=141225 2::=143225 3::=144225 6::=145225
10.0.33 140228 0::=141228 2::=143228 3::=144228 6::=145228
10.0.34 140231 0::=141231 2::=143231 3::=144231 6::=145231
10.0.35 140135 0::=141135 2::=143135 3::=144135 6::=145135
10.0.36 140136 0::=141136 2::=143136 3::=144136 6::=145136
10.0.37 140246
10.0.38 140247
10.0.39 140248
10.0.40  0:102:10=141245 2:102:10=143245 3:102:10=144245 6:102:10=145245 :102:10=140245
10.0.41  0:102:10=141249 2:102:10=143249 3:102:10=144249 6:102:10=145249 :102:10=140249
10.0.43 140252 0::=141252 2::=143252 3::=144252 6::=145252
10.0.44 140253 0::=141253 2::=143253 3::=144253 6::=145253
10.0.46 140140 0::=141140 2::=143140 3::=144140 6::=145140
10.0.47 140121 0::=141121 2::=143121 3::=144121 6::=145121
10.0.48 140124 0::=141124 2::=143124 3::=144124 6::=145124
10.0.49 140127 0::=141127 2::=143127 3::=144127 6::=145127
10.0.50 140123 0::=141123 2::=143123 3::=144123 6::=145123
10.0.51 140126 0::=141126 2::=143126 3::=144126 6::=145126
10.0.52 140129 0::=141129 2::=143129 3::=144129 6::=145129
10.0.53 140122 0::=141122 2::=143122 3::=144122 6::=145122
10.0.54 140125 0::=141125 2::=143125 3::=144125 6::=145125
10.0.55 140128 0::=141128 2::=143128 3::=144128 6::=145128
10.0.56 140106 0::=141106 2::=143106 3::=144106 6::=145106
10.0.57 140108 0::=141108 2::=143108 3::=144108 6::=145108
10.0.58 140110 0::=141110 2::=143110 3::=144110 6::=145110
10.0.59 140107 0::=141107 2::=143107 3::=144107 6::=145107
10.0.60 140109 0::=141109 2::=143109 3::=144109 6::=145109
10.0.61 140111 0::=141111 2::=143111 3::=144111 6::=145111
10.0.65 140137 0::=141137 2::=143137 3::=144137 6::=145137
10.0.66 140138 0::=141138 2::=143138 3::=144138 6::=145138
10.0.67 140139 0::=141139 2::=143139 3::=144139 6::=145139
10.0.68 140143 0::=141143 2::=143143 3::=144143 6::=145143
10.0.69 140144 0::=141144 2::=143144 3::=144144 6::=145144
10.0.70 140145 0::=141145 2::=143145 3::=144145 6::=145145
10.0.71 140141 0::=141141 2::=143141 3::=144141 6::=145141
10.0.72 140142 0::=141142 2::=143142 3::=144142 6::=145142
10.0.73 140146 0::=141146 2::=143146 3::=144146 6::=145146
10.0.74 140238 0::=141238 2::=143238 3::=144238 6::=145238
10.0.75 140235 0::=141235 2::=143235 3::=144235 6::=145235
10.0.76 148 0::=235099
10.0.77 140207 0::=141207 2::=143207 3::=144207 6::=145207
10.0.78 140112 0::=141112 2::=143112 3::=144112 6::=145112
10.0.79 140113 0::=141113 2::=143113 3::=144113 6::=145113
10.0.80 140099 0::=141099 2::=143099 3::=144099 6::=145099
10.0.81 140208 0::=141208 2::=143208 3::=144208 6::=145208
10.0.82 140209 0::=141209 2::=143209 3::=144209 6::=145209
10.0.83 140211 0::=141211 2::=143211 3::=144211 6::=145211
10.0.84 140214 0::=141214 2::=143214 3::=144214 6::=145214
10.0.85 140212 0::=141212 2::=143212 3::=144212 6::=145212
10.0.86 140251
10.0.87 140098 0::=141098 2::=143098 3::=144098 6::=145098
10.0.89 140100 0::=141100 2::=143100 3::=144100 6::=145100
10.0.90  :1:=140103 0:1:=141103 2:1:=143103 3:1:=144103 6:1:=145103
10.0.91  :1:=140104 0:1:=141104 2:1:=143104 3:1:=144104 6:1:=145104
10.0.92 140105 0::=141105 2::=143105 3::=144105 6::=145105
10.0.93 140218 0::=141218 2::=143218 3::=144218 6::=145218
10.0.94 140131 0::=141131 2::=143131 3::=144131 6::=145131
10.0.95 140132 0::=141132 2::=143132 3::=144132 6::=145132
10.0.96 140133 0::=141133 2::=143133 3::=144133 6::=145133
10.0.97 140134 0::=141134 2::=143134 3::=144134 6::=145134
10.0.98 140254 0::=141254 2::=143254 3::=144254 6::=145254
10.0.99 140147 0::=141147 2::=143147 3::=144147 6::=145147
10.0.100 140148 0::=141148 2::=143148 3::=144148 6::=145148
10.0.101 140149 0::=141149 2::=143149 3::=144149 6::=145149
10.0.102 140150 0::=141150 2::=143150 3::=144150 6::=145150
10.0.103  :1:=140101 0:1:=141101 2:1:=143101 3:1:=144101 6:1:=145101
10.0.104  :1:=140102 0:1:=141102 2:1:=143102 3:1:=144102 6:1:=145102
10.0.192.7 260486
10.1.0 260236
10.1.1 260237
10.1.192.7 260487
10.1.193.7 260488
10.1.194.7 260489
10.1.195.7 260490
10.2.0  :1:=31 0:1:=235083 :174:=262001
10.2.1 262000
10.2.2 3093
10.2.3 3094
10.2.4  :174:=262003
10.2.5  :174:=262004
10.2.6  :174:=262007
10.2.7 3098
10.2.8  :174:=262006 :175:=262012 :176:=262013
10.2.13  :173:=262011
10.2.14  :174:=262005
10.2.15  :174:=262008
10.2.16  :173:=262009
10.2.17  :174:=262014
10.2.18  :173:=262015
10.2.20  :188:=262017
10.2.21  :188:=262018
10.2.22  :188:=262019
10.2.23  :174:=262020
10.2.24  :174:=262021
10.2.25  :174:=262022
10.2.30 262025
10.3.0  :1:=34 0:1:=235084 :160:0=262101
10.3.1 262124
10.3.3 262100
10.3.4 262108
10.3.5 262110
10.3.6 262109
10.3.7  :160:0=262112
10.3.8  :160:0=262111
10.3.9  :160:0=262127
10.3.10  :160:0=262126
10.3.11  :160:0=262125
10.3.13  :160:0=262130
10.3.14 262140
10.3.15 262139
10.3.16  :160:0=262138
10.3.17  :160:0=262137
10.3.18  :160:0=262133
10.3.19  :160:0=262142
10.3.20 262143
10.3.21 262145
10.3.22 262149
10.3.192.7 260491
10.3.193.7 260492
10.3.194.7 260493
10.3.195.7 260494
10.3.196.7 260495
10.3.197.7 260496
10.3.198.7 260497
10.3.199.7 260498
10.3.200.7 260499
10.3.201.7 260500
10.3.202.7 260501
10.4.0  :160:0=262128
10.4.1 3070
10.4.2 3068
10.4.3 3088 :168:=262516
10.4.7 140219
10.4.14  :20:287.15=262102 :20:290.15=262103 :20:293.15=262104 :20:299.15=262105 :20:301.15=262106 :169:0.01=262113 :169:0.03=262114 :169:0.125=262115 :170:0.2=262116 :170:0.5=262117 :171:0.0005=262136 :168:=262519
10.4.18  :168:=262501
10.4.20  :168:=262502
10.4.21  :160:0=262120 :168:=262500
10.4.22  :160:0=262123
10.4.23  :168:=262506
10.4.24  :168:=262505
10.4.25  :168:=262504
10.4.26  :168:=262503
10.4.27  :168:=262507
10.4.29  :160:0=262129
10.4.30  :160:0=262131
10.4.31  :160:0=262134
10.4.32  :160:0=262132
10.4.33  :160:0=262135
10.4.34  :168:=262508
10.4.35  :168:=262509
10.4.36  :168:=262510
10.4.37  :168:=262511
10.4.38  :168:=262512
10.4.39  :168:=262513
10.4.40  :168:=262514
10.4.41  :168:=262515
10.4.46  :168:=262517
10.4.47  :168:=262518
10.4.50  :160:0=262148
10.4.56  :168:=262520
10.4.57  :168:=262521
10.4.58  :168:=262522
10.4.192.7 260502
10.4.193.7 260503
10.4.194.7 260504
10.4.195.7 260505
10.4.196.7 260506
10.4.197.7 260507
10.191.0 260241
10.191.4  :160:5=262107
20.0.0 261001
20.0.1 261002
20.0.2 261014
20.0.3 261015
20.0.4 261016
20.0.5 261017
20.0.6 261018
20.0.7 261019
20.0.8 261020
20.0.9 214002
20.0.10 214003
20.0.11 261024
20.0.12 261025
20.1.0 261003
20.1.1 261004
20.1.2 261005
20.1.3 261006
20.1.4 261007
20.1.5 261008
20.1.6 261009
20.1.7 261010
20.1.8 261011
20.1.9 261012
20.2.0 261013
192.128.4 4
192.128.5 5
192.128.6 6
192.128.7 7
192.128.11 11
192.128.12 12
192.128.13 13
192.128.14 14
192.128.19 19
192.128.24 24
192.128.25 25
192.128.35 35
192.128.36 36
192.128.37 37
192.128.38 38
192.128.39 39
192.128.40 40
192.128.41 41
192.128.42 42
192.128.46 46
192.128.62 62
192.128.63 63
192.128.64 64
192.128.65 65
192.128.70 70
192.128.71 71
192.128.80 80
192.128.81 81
192.128.82 82
192.128.83 83
192.128.84 84
192.128.85 85
192.128.86 86
192.128.87 87
192.128.88 88
192.128.89 89
192.128.90 90
192.128.91 91
192.128.92 92
192.128.93 93
192.128.94 94
192.128.95 95
192.128.96 96
192.128.97 97
192.128.98 98
192.128.99 99
192.128.100 100
192.128.101 101
192.128.102 102
192.128.103 103
192.128.104 104
192.128.105 105
192.128.106 106
192.128.107 107
192.128.108 108
192.128.109 109
192.128.110 110
192.128.111 111
192.128.112 112
192.128.113 113
192.128.114 114
192.128.115 115
192.128.116 116
192.128.117 117
192.128.118 118
192.128.119 119
192.128.120 120
192.128.123 123
192.128.125 125
192.128.126 126
192.128.127 127
192.128.128 128
192.128.139 139
192.128.140 140
192.128.153 153
192.128.154 154
192.128.158 158
192.128.170 170
192.128.171 171
192.128.183 183
192.128.184 184
192.128.185 185
192.128.190 190
192.128.191 191
192.128.192 192
192.128.193 193
192.128.199 199
192.128.200 200
192.128.204 204
192.128.214 214
192.128.215 215
192.128.216 216
192.128.217 217
192.128.218 218
192.128.219 219
192.128.220 220
192.128.221 221
192.128.222 222
192.128.223 223
192.128.224 224
192.128.225 225
192.128.226 226
192.128.227 227
192.128.233 233
192.128.236 236
192.128.237 237
192.128.241 241
192.128.242 242
192.128.249 249
192.128.250 250
192.128.251 251
192.128.252 252
192.128.253 253
192.128.254 254
192.140.200 140200
192.140.250 140250
192.140.255 140255
192.151.128 151128
192.151.134 151134
192.151.135 151135
192.151.136 151136
192.151.137 151137
192.151.139 151139
192.151.140 151140
192.151.141 151141
192.151.142 151142
192.151.143 151143
192.151.144 151144
192.151.146 151146
192.151.147 151147
192.151.148 151148
192.151.150 151150
192.151.151 151151
192.151.152 151152
192.151.155 151155
192.151.156 151156
192.151.157 151157
192.151.158 151158
192.151.159 151159
192.151.160 151160
192.151.161 151161
192.151.162 151162
192.151.164 151164
192.151.165 151165
192.151.166 151166
192.151.167 151167
192.151.168 151168
192.151.169 151169
192.151.170 151170
192.151.176 151176
192.151.177 151177
192.151.178 151178
192.151.179 151179
192.151.180 151180
192.151.181 151181
192.151.182 151182
192.151.183 151183
192.151.184 151184
192.151.185 151185
192.151.186 151186
192.151.187 151187
192.151.188 151188
192.151.190 151190
192.151.191 151191
192.151.192 151192
192.151.193 151193
192.151.194 151194
192.151.199 151199
192.151.200 151200
192.151.201 151201
192.151.202 151202
192.151.203 151203
192.151.204 151204
192.151.205 151205
192.151.206 151206
192.151.207 151207
192.151.208 151208
192.151.209 151209
192.151.210 151210
192.151.211 151211
192.151.212 151212
192.151.255 151255
192.162.114 162114
192.162.115 162115
192.162.116 162116
192.162.117 162117
192.162.118 162118
192.162.119 162119
192.162.120 162120
192.162.121 162121
192.162.122 162122
192.162.123 162123
192.162.124 162124
192.162.125 162125
192.162.126 162126
192.162.127 162127
192.162.128 162128
192.162.129 162129
192.162.130 162130
192.162.131 162131
192.162.132 162132
192.162.133 162133
192.162.134 162134
192.162.135 162135
192.162.136 162136
192.162.137 162137
192.162.138 162138
192.162.139 162139
192.162.140 162140
192.162.141 162141
192.162.216 162216
192.162.217 162217
192.162.218 162218
192.162.219 162219
192.162.220 162220
192.162.221 162221
192.162.222 162222
192.162.223 162223
192.162.224 162224
192.162.225 162225
192.162.226 162226
192.162.227 162227
192.162.229 162229
192.162.230 162230
192.162.231 162231
192.162.232 162232
192.162.233 162233
192.162.255 162255
192.228.25 228025
192.228.40 228040
192.228.41 228041
192.228.42 228042
192.228.43 228043
192.228.91 228091
192.228.92 228092
192.228.93 228093
192.228.100 228100
192.228.101 228101
192.228.102 228102
192.228.103 228103
192.228.248 228248
192.228.250 228250
192.228.252 228252
192.228.253 228253
192.228.254 228254
192.228.255 228255
254.253.192.98 254500
254.253.193.98 254501
254.254.192.98  :254:=254001
254.254.193.98  :254:=254002
254.254.194.98  :254:=254003
254.254.195.98  :254:=254004
254.254.196.98  :254:=254005
254.254.197.98  :254:=254006
254.254.198.98  :254:=254007
254.254.199.98  :254:=254008
254.254.200.98  :254:=254009
254.254.201.98  :254:=254010
254.254.202.98  :254:=254011
254.254.203.98  :254:=254012
254.254.204.98  :254:=254013
254.254.205.98  :254:=254014
254.254.206.98  :254:=254015
254.254.207.98  :254:=254016
254.254.208.98  :254:=254017
254.254.209.98  :254:=254018
254.254.210.98  :254:=254019
254.254.211.98  :254:=254020
254.254.212.98  :254:=254021
254.254.213.98  :254:=254022
254.254.214.98  :254:=254023
254.254.215.98  :254:=254024
254.254.216.98  :254:=254025
254.254.217.98  :254:=254026
254.254.218.98  :254:=254027
254.254.219.98  :254:=254028
254.254.220.98  :254:=254029
254.254.221.98  :254:=254030`;

/** Table and number: a parameter, and others by level type and level. */
export const FIRST_EDITION = `1.1 54 1:0=134
1.2 151
1.3 3003
1.4 60
1.5 3005
1.6 129
1.7 156 1:0=228002
1.8 3008
1.9 3009
1.10 206
1.11 130 105:2=167
1.12 300012
1.13 3
1.14 3014
1.15 3015 105:2=121
1.16 3016 105:2=122
1.17 3017 105:2=168
1.18 3018
1.19 3019
1.20 3020
1.21 3021
1.22 3022
1.23 3023
1.24 3024
1.25 3025
1.26 3026
1.27 3027
1.28 3028
1.29 3029
1.30 3030
1.31 3031
1.32 10
1.33 131 105:10=165
1.34 132 105:10=166
1.35 1
1.36 2
1.37 3037
1.38 3038
1.39 135
1.41 3041
1.42 3042
1.43 138
1.44 155
1.45 3045
1.46 3046
1.47 3047
1.48 3048
1.51 133
1.52 157
1.53 3053
1.54 3054
1.55 3055
1.56 3056
1.57 182
1.59 3059
1.60 3060
1.61 228228
1.62 3062
1.63 3063
1.64 3064
1.65 228144
1.66 3066
1.67 3067
1.68 3068
1.69 3069
1.70 3070
1.71 228164
1.72 3072
1.73 3073
1.74 3074
1.75 3075
1.76 260102
1.77 3077
1.78 260011
1.79 3079
1.80 3080
1.81 172
1.82 3082
1.83 173
1.84 260509
1.85 228139
1.86 228039
1.87 160199
1.88 3088
1.89 3089
1.90 205
1.91 3091
1.92 3092
1.93 3093
1.94 3094
1.95 3095
1.96 3096
1.97 3097
1.98 3098
1.99 3099
1.100 3100
1.101 3101
1.102 3102
1.103 3103
1.104 3104
1.105 3105
1.106 3106
1.107 3107
1.108 3108
1.109 3109
1.110 3110
1.111 3111
1.112 3112
1.113 3113
1.114 3114
1.115 3115
1.116 3116
1.117 3117
1.118 194
1.119 3119
1.120 3120
1.121 3121
1.122 3122
1.123 3123
1.124 3124
1.125 3125
1.126 3126
1.127 3127
2.1 54 1:0=134
2.2 151
2.3 3003
2.4 60
2.5 3005
2.6 129
2.7 156 1:0=228002
2.8 3008
2.9 3009
2.10 206
2.11 130 105:2=167
2.12 300012
2.13 3
2.14 3014
2.15 3015 105:2=121
2.16 3016 105:2=122
2.17 3017 105:2=168
2.18 3018
2.19 3019
2.20 3020
2.21 3021
2.22 3022
2.23 3023
2.24 3024
2.25 3025
2.26 3026
2.27 3027
2.28 3028
2.29 3029
2.30 3030
2.31 3031
2.32 10
2.33 131 105:10=165
2.34 132 105:10=166
2.35 1
2.36 2
2.37 3037
2.38 3038
2.39 135
2.41 3041
2.42 3042
2.43 138
2.44 155
2.45 3045
2.46 3046
2.47 3047
2.48 3048
2.51 133
2.52 157
2.53 3053
2.54 3054
2.55 3055
2.56 3056
2.57 182
2.59 3059
2.60 3060
2.61 228228
2.62 3062
2.63 3063
2.64 3064
2.65 228144
2.66 3066
2.67 3067
2.68 3068
2.69 3069
2.70 3070
2.71 228164
2.72 3072
2.73 3073
2.74 3074
2.75 3075
2.76 260102
2.77 3077
2.78 260011
2.79 3079
2.80 3080
2.81 172
2.82 3082
2.83 173
2.84 260509
2.85 228139
2.86 228039
2.87 160199
2.88 3088
2.89 3089
2.90 205
2.91 3091
2.92 3092
2.93 3093
2.94 3094
2.95 3095
2.96 3096
2.97 3097
2.98 3098
2.99 3099
2.100 3100
2.101 3101
2.102 3102
2.103 3103
2.104 3104
2.105 3105
2.106 3106
2.107 3107
2.108 3108
2.109 3109
2.110 3110
2.111 3111
2.112 3112
2.113 3113
2.114 3114
2.115 3115
2.116 3116
2.117 3117
2.118 194
2.119 3119
2.120 3120
2.121 3121
2.122 3122
2.123 3123
2.124 3124
2.125 3125
2.126 3126
2.127 3127
3.1 54 1:0=134
3.2 151
3.3 3003
3.4 60
3.5 3005
3.6 129
3.7 156 1:0=228002
3.8 3008
3.9 3009
3.10 206
3.11 130 105:2=167
3.12 300012
3.13 3
3.14 3014
3.15 3015 105:2=121
3.16 3016 105:2=122
3.17 3017 105:2=168
3.18 3018
3.19 3019
3.20 3020
3.21 3021
3.22 3022
3.23 3023
3.24 3024
3.25 3025
3.26 3026
3.27 3027
3.28 3028
3.29 3029
3.30 3030
3.31 3031
3.32 10
3.33 131 105:10=165
3.34 132 105:10=166
3.35 1
3.36 2
3.37 3037
3.38 3038
3.39 135
3.41 3041
3.42 3042
3.43 138
3.44 155
3.45 3045
3.46 3046
3.47 3047
3.48 3048
3.51 133
3.52 157
3.53 3053
3.54 3054
3.55 3055
3.56 3056
3.57 182
3.59 3059
3.60 3060
3.61 228228
3.62 3062
3.63 3063
3.64 3064
3.65 228144
3.66 3066
3.67 3067
3.68 3068
3.69 3069
3.70 3070
3.71 228164
3.72 3072
3.73 3073
3.74 3074
3.75 3075
3.76 260102
3.77 3077
3.78 260011
3.79 3079
3.80 3080
3.81 172
3.82 3082
3.83 173
3.84 260509
3.85 228139
3.86 228039
3.87 160199
3.88 3088
3.89 3089
3.90 205
3.91 3091
3.92 3092
3.93 3093
3.94 3094
3.95 3095
3.96 3096
3.97 3097
3.98 3098
3.99 3099
3.100 3100
3.101 3101
3.102 3102
3.103 3103
3.104 3104
3.105 3105
3.106 3106
3.107 3107
3.108 3108
3.109 3109
3.110 3110
3.111 3111
3.112 3112
3.113 3113
3.114 3114
3.115 3115
3.116 3116
3.117 3117
3.118 194
3.119 3119
3.120 3120
3.121 3121
3.122 3122
3.123 3123
3.124 3124
3.125 3125
3.126 3126
3.127 3127
128.1 1
128.2 2
128.3 3
128.4 4
128.5 5
128.6 6
128.7 7
128.8 8
128.9 9
128.10 10
128.11 11
128.12 12
128.13 13
128.14 14
128.15 15
128.16 16
128.17 17
128.18 18
128.19 19
128.20 20
128.21 21
128.22 22
128.23 23
128.24 24
128.25 25
128.26 26
128.27 27
128.28 28
128.29 29
128.30 30
128.31 31
128.32 32
128.33 33
128.34 34
128.35 35
128.36 36
128.37 37
128.38 38
128.39 39
128.40 40
128.41 41
128.42 42
128.43 43
128.44 44
128.45 45
128.46 46
128.47 47
128.48 48
128.49 49
128.50 50
128.51 51
128.52 52
128.53 53
128.54 54
128.55 55
128.56 56
128.57 57
128.58 58
128.59 59
128.60 60
128.62 62
128.63 63
128.64 64
128.65 65
128.66 66
128.67 67
128.68 68
128.69 69
128.70 70
128.71 71
128.72 72
128.73 73
128.74 74
128.75 75
128.76 76
128.77 77
128.78 78
128.79 79
128.80 80
128.81 81
128.82 82
128.83 83
128.84 84
128.85 85
128.86 86
128.87 87
128.88 88
128.89 89
128.90 90
128.91 91
128.92 92
128.93 93
128.94 94
128.95 95
128.96 96
128.97 97
128.98 98
128.99 99
128.100 100
128.101 101
128.102 102
128.103 103
128.104 104
128.105 105
128.106 106
128.107 107
128.108 108
128.109 109
128.110 110
128.111 111
128.112 112
128.113 113
128.114 114
128.115 115
128.116 116
128.117 117
128.118 118
128.119 119
128.120 120
128.121 121
128.122 122
128.123 123
128.124 124
128.125 125
128.126 126
128.127 127
128.128 128
128.129 129
128.130 130
128.131 131
128.132 132
128.133 133
128.134 134
128.135 135
128.136 136
128.137 137
128.138 138
128.139 139
128.140 140
128.141 141
128.142 142
128.143 143
128.144 144
128.145 145
128.146 146
128.147 147
128.148 148
128.149 149
128.150 150
128.151 151
128.152 152
128.153 153
128.154 154
128.155 155
128.156 156
128.157 157
128.158 158
128.159 159
128.160 160
128.161 161
128.162 162
128.163 163
128.164 164
128.165 165
128.166 166
128.167 167
128.168 168
128.169 169
128.170 170
128.171 171
128.172 172
128.173 173
128.174 174
128.175 175
128.176 176
128.177 177
128.178 178
128.179 179
128.180 180
128.181 181
128.182 182
128.183 183
128.184 184
128.185 185
128.186 186
128.187 187
128.188 188
128.189 189
128.190 190
128.191 191
128.192 192
128.193 193
128.194 194
128.195 195
128.196 196
128.197 197
128.198 198
128.199 199
128.200 200
128.201 201
128.202 202
128.203 203
128.204 204
128.205 205
128.206 206
128.207 207
128.208 208
128.209 209
128.210 210
128.211 211
128.212 212
128.213 213
128.214 214
128.215 215
128.216 216
128.217 217
128.218 218
128.219 219
128.220 220
128.221 221
128.222 222
128.223 223
128.224 224
128.225 225
128.226 226
128.227 227
128.228 228
128.229 229
128.230 230
128.231 231
128.232 232
128.233 233
128.234 234
128.235 235
128.236 236
128.237 237
128.238 238
128.239 239
128.240 240
128.241 241
128.242 242
128.243 243
128.244 244
128.245 245
128.246 246
128.247 247
128.248 248
128.249 249
128.250 250
128.251 251
128.252 252
128.253 253
128.254 254
128.255 255
140.80 140080
140.81 140081
140.82 140082
140.83 140083
140.84 140084
140.98 140098
140.99 140099
140.100 140100
140.101 140101
140.102 140102
140.103 140103
140.104 140104
140.105 140105
140.106 140106
140.107 140107
140.108 140108
140.109 140109
140.110 140110
140.111 140111
140.112 140112
140.113 140113
140.114 140114
140.115 140115
140.116 140116
140.117 140117
140.118 140118
140.119 140119
140.120 140120
140.121 140121
140.122 140122
140.123 140123
140.124 140124
140.125 140125
140.126 140126
140.127 140127
140.128 140128
140.129 140129
140.200 140200
140.207 140207
140.208 140208
140.209 140209
140.210 140210
140.211 140211
140.212 140212
140.213 140213
140.214 140214
140.215 140215
140.216 140216
140.217 140217
140.218 140218
140.219 140219
140.220 140220
140.221 140221
140.222 140222
140.223 140223
140.224 140224
140.225 140225
140.226 140226
140.227 140227
140.228 140228
140.229 140229
140.230 140230
140.231 140231
140.232 140232
140.233 140233
140.234 140234
140.235 140235
140.236 140236
140.237 140237
140.238 140238
140.239 140239
140.240 140240
140.241 140241
140.242 140242
140.243 140243
140.244 140244
140.245 140245
140.246 140246
140.247 140247
140.248 140248
140.249 140249
140.250 140250
140.251 140251
140.252 140252
140.253 140253
140.254 140254
140.255 140255
151.128 151128
151.129 151129
151.130 151130
151.131 151131
151.132 151132
151.133 151133
151.134 151134
151.135 151135
151.136 151136
151.137 151137
151.138 151138
151.139 151139
151.140 151140
151.141 151141
151.142 151142
151.143 151143
151.144 151144
151.145 151145
151.146 151146
151.147 151147
151.148 151148
151.149 151149
151.150 151150
151.151 151151
151.152 151152
151.153 151153
151.154 151154
151.155 151155
151.156 151156
151.157 151157
151.158 151158
151.159 151159
151.160 151160
151.161 151161
151.162 151162
151.163 151163
151.164 151164
151.165 151165
151.166 151166
151.167 151167
151.168 151168
151.169 151169
151.170 151170
151.171 151171
151.172 151172
151.173 151173
151.174 151174
151.175 151175
151.176 151176
151.177 151177
151.178 151178
151.179 151179
151.180 151180
151.181 151181
151.182 151182
151.183 151183
151.184 151184
151.185 151185
151.186 151186
151.187 151187
151.188 151188
151.190 151190
151.191 151191
151.192 151192
151.193 151193
151.194 151194
151.199 151199
151.200 151200
151.201 151201
151.202 151202
151.203 151203
151.204 151204
151.205 151205
151.206 151206
151.207 151207
151.208 151208
151.209 151209
151.210 151210
151.211 151211
151.212 151212
151.255 151255
162.45 162045
162.51 162051
162.52 134
162.53 162053
162.54 162054
162.55 162055
162.56 162056
162.57 162057
162.58 162058
162.59 162059
162.60 162060
162.61 162061
162.62 162062
162.63 162063
162.64 162064
162.65 162065
162.66 162066
162.67 162067
162.68 162068
162.69 162069
162.70 162070
162.71 162071
162.72 162072
162.73 162073
162.74 162074
162.75 162075
162.76 162076
162.77 162077
162.78 162078
162.79 162079
162.80 162080
162.81 162081
162.82 162082
162.83 162083
162.84 162084
162.85 162085
162.86 162086
162.87 162087
162.88 162088
162.89 162089
162.90 162090
162.91 162091
162.92 162092
162.100 162100
162.101 162101
162.102 162102
162.103 162103
162.104 162104
162.105 162105
162.106 162106
162.107 162107
162.108 162108
162.109 162109
162.110 162110
162.111 162111
162.112 162112
162.113 162113
162.114 162114
162.115 162115
162.116 162116
162.117 162117
162.118 162118
162.119 162119
162.120 162120
162.121 162121
162.122 162122
162.123 162123
162.124 162124
162.125 162125
162.126 162126
162.127 162127
162.128 162128
162.129 162129
162.130 162130
162.131 162131
162.132 162132
162.133 162133
162.134 162134
162.135 162135
162.136 162136
162.137 162137
162.138 162138
162.139 162139
162.140 162140
162.141 162141
162.206 162206
162.207 162207
162.208 162208
162.209 162209
162.210 162210
162.211 162211
162.212 162212
162.213 162213
162.214 162214
162.215 162215
162.216 162216
162.217 162217
162.218 162218
162.219 162219
162.220 162220
162.221 162221
162.222 162222
162.223 162223
162.224 162224
162.225 162225
162.226 162226
162.227 162227
162.229 162229
162.230 162230
162.231 162231
162.232 162232
162.233 162233
162.255 162255
228.1 228001
228.2 228002
228.3 228003
228.4 228004
228.5 228005
228.6 228006
228.7 228007
228.8 228008
228.9 228009
228.10 228010
228.11 228011
228.12 228012
228.13 228013
228.14 228014
228.15 228015
228.16 228016
228.17 228017
228.18 228018
228.19 228019
228.20 228020
228.21 228021
228.22 228022
228.23 228023
228.24 228024
228.25 228025
228.26 228026
228.27 228027
228.28 228028
228.29 228029
228.37 228037
228.39 228039
228.40 228040
228.41 228041
228.42 228042
228.43 228043
228.44 228044
228.46 228046
228.47 228047
228.48 228048
228.50 228050
228.51 228051
228.52 228052
228.53 228053
228.70 228070
228.71 228071
228.72 228072
228.73 228073
228.74 228074
228.78 228078
228.79 228079
228.80 228080
228.81 228081
228.82 228082
228.83 228083
228.84 228084
228.85 228085
228.88 228088
228.89 228089
228.90 228090
228.91 228091
228.92 228092
228.93 228093
228.94 228094
228.109 260109
228.121 260121
228.123 260123
228.129 228129
228.130 228130
228.131 228131
228.132 228132
228.134 228134
228.136 228136
228.139 228139
228.141 228141
228.144 228144
228.164 228164
228.170 228170
228.171 228171
228.216 228216
228.217 228217
228.218 228218
228.219 228219
228.220 228220
228.221 228221
228.222 228222
228.223 228223
228.224 228224
228.225 228225
228.226 228226
228.227 228227
228.228 228228
228.229 228229
228.230 228230
228.239 228239
228.240 228240
228.241 228241
228.242 228242
228.243 228243
228.244 228244
228.245 228245
228.246 228246
228.247 228247
228.249 228249
228.250 228250
228.251 228251
228.252 228252
228.253 228253
228.254 228254
235.20 235020
235.21 235021
235.22 235022
235.23 235023
235.24 235024
235.25 235025
235.26 235026
235.27 235027
235.28 235028
235.29 235029
235.30 235030
235.31 235031
235.32 235032
235.33 235033
235.34 235034
235.35 235035
235.36 235036
235.37 235037
235.38 235038
235.39 235039
235.40 235040
235.41 235041
235.42 235042
235.43 235043
235.44 235044
235.45 235045
235.46 235046
235.47 235047
235.48 235048
235.49 235049
235.50 235050
235.51 235051
235.52 235052
235.53 235053
235.54 235054
235.55 235055
235.56 235056
235.57 235057
235.58 235058
235.59 235059
235.60 235060
235.61 235061
235.62 235062
235.63 235063
235.64 235064
235.68 235068
235.69 235069
235.70 235070
2.1.7 54 1:0=134
2.2.7 151
2.3.7 3003
2.4.7 60
2.5.7 3005
2.6.7 129
2.7.7 156 1:0=228002
2.8.7 3008
2.9.7 3009
2.10.7 206
2.11.7 130 105:2=167
2.12.7 300012
2.13.7 3
2.14.7 3014
2.15.7 3015 105:2=121
2.16.7 3016 105:2=122
2.17.7 3017 105:2=168
2.18.7 3018
2.19.7 3019
2.20.7 3020
2.21.7 3021
2.22.7 3022
2.23.7 3023
2.24.7 3024
2.25.7 3025
2.26.7 3026
2.27.7 3027
2.28.7 3028
2.29.7 3029
2.30.7 3030
2.31.7 3031
2.32.7 10
2.33.7 131 105:10=165
2.34.7 132 105:10=166
2.35.7 1
2.36.7 2
2.37.7 3037
2.38.7 3038
2.39.7 135
2.41.7 3041
2.42.7 3042
2.43.7 138
2.44.7 155
2.45.7 3045
2.46.7 3046
2.47.7 3047
2.48.7 3048
2.51.7 133
2.52.7 157
2.53.7 3053
2.54.7 3054
2.55.7 3055
2.56.7 3056
2.57.7 182
2.59.7 3059
2.60.7 3060
2.61.7 228228
2.62.7 3062
2.63.7 3063
2.64.7 3064
2.65.7 228144
2.66.7 3066
2.67.7 3067
2.68.7 3068
2.69.7 3069
2.70.7 3070
2.71.7 228164
2.72.7 3072
2.73.7 3073
2.74.7 3074
2.75.7 3075
2.76.7 260102
2.77.7 3077
2.78.7 260011
2.79.7 3079
2.80.7 3080
2.81.7 172
2.82.7 3082
2.83.7 173
2.84.7 260509
2.85.7 228139
2.86.7 228039
2.87.7 160199
2.88.7 3088
2.89.7 3089
2.90.7 205
2.91.7 3091
2.92.7 3092
2.93.7 3093
2.94.7 3094
2.95.7 3095
2.96.7 3096
2.97.7 3097
2.98.7 3098
2.99.7 3099
2.100.7 3100
2.101.7 3101
2.102.7 3102
2.103.7 3103
2.104.7 3104
2.105.7 3105
2.106.7 3106
2.107.7 3107
2.108.7 3108
2.109.7 3109
2.110.7 3110
2.111.7 3111
2.112.7 3112
2.113.7 3113
2.114.7 3114
2.115.7 3115
2.116.7 3116
2.117.7 3117
2.118.7 194
2.119.7 3119
2.120.7 3120
2.121.7 3121
2.122.7 3122
2.123.7 3123
2.124.7 3124
2.125.7 3125
2.126.7 3126
2.127.7 3127
3.1.7 54 1:0=134
3.2.7 151
3.3.7 3003
3.4.7 60
3.5.7 3005
3.6.7 129
3.7.7 156 1:0=228002
3.8.7 3008
3.9.7 3009
3.10.7 206
3.11.7 130 105:2=167
3.12.7 300012
3.13.7 3
3.14.7 3014
3.15.7 3015 105:2=121
3.16.7 3016 105:2=122
3.17.7 3017 105:2=168
3.18.7 3018
3.19.7 3019
3.20.7 3020
3.21.7 3021
3.22.7 3022
3.23.7 3023
3.24.7 3024
3.25.7 3025
3.26.7 3026
3.27.7 3027
3.28.7 3028
3.29.7 3029
3.30.7 3030
3.31.7 3031
3.32.7 10
3.33.7 131 105:10=165
3.34.7 132 105:10=166
3.35.7 1
3.36.7 2
3.37.7 3037
3.38.7 3038
3.39.7 135
3.41.7 3041
3.42.7 3042
3.43.7 138
3.44.7 155
3.45.7 3045
3.46.7 3046
3.47.7 3047
3.48.7 3048
3.51.7 133
3.52.7 157
3.53.7 3053
3.54.7 3054
3.55.7 3055
3.56.7 3056
3.57.7 182
3.59.7 3059
3.60.7 3060
3.61.7 228228
3.62.7 3062
3.63.7 3063
3.64.7 3064
3.65.7 228144
3.66.7 3066
3.67.7 3067
3.68.7 3068
3.69.7 3069
3.70.7 3070
3.71.7 228164
3.72.7 3072
3.73.7 3073
3.74.7 3074
3.75.7 3075
3.76.7 260102
3.77.7 3077
3.78.7 260011
3.79.7 3079
3.80.7 3080
3.81.7 172
3.82.7 3082
3.83.7 173
3.84.7 260509
3.85.7 228139
3.86.7 228039
3.87.7 160199
3.88.7 3088
3.89.7 3089
3.90.7 205
3.91.7 3091
3.92.7 3092
3.93.7 3093
3.94.7 3094
3.95.7 3095
3.96.7 3096
3.97.7 3097
3.98.7 3098
3.99.7 3099
3.100.7 3100
3.101.7 3101
3.102.7 3102
3.103.7 3103
3.104.7 3104
3.105.7 3105
3.106.7 3106
3.107.7 3107
3.108.7 3108
3.109.7 3109
3.110.7 3110
3.111.7 3111
3.112.7 3112
3.113.7 3113
3.114.7 3114
3.115.7 3115
3.116.7 3116
3.117.7 3117
3.118.7 194
3.119.7 3119
3.120.7 3120
3.121.7 3121
3.122.7 3122
3.123.7 3123
3.124.7 3124
3.125.7 3125
3.126.7 3126
3.127.7 3127
129.1.7 129001
129.2.7 129002
129.3.7 129003
129.4.7 129004
129.5.7 129005
129.11.7 129011
129.12.7 129012
129.13.7 129013
129.14.7 129014
129.21.7 129021
129.22.7 129022
129.23.7 129023
129.24.7 129024
129.25.7 129025
129.26.7 129026
129.27.7 129027
129.28.7 129028
129.29.7 129029
129.30.7 129030
129.31.7 129031
129.32.7 129032
129.33.7 129033
129.34.7 129034
129.35.7 129035
129.36.7 129036
129.37.7 129037
129.38.7 129038
129.39.7 129039
129.40.7 129040
129.41.7 129041
129.42.7 129042
129.43.7 129043
129.44.7 129044
129.45.7 129045
129.46.7 129046
129.47.7 129047
129.48.7 129048
129.49.7 129049
129.50.7 129050
129.51.7 129051
129.52.7 129052
129.53.7 129053
129.54.7 129054
129.55.7 129055
129.56.7 129056
129.57.7 129057
129.58.7 129058
129.59.7 129059
129.60.7 129060
129.61.7 129061
129.62.7 129062
129.63.7 129063
129.64.7 129064
129.65.7 129065
129.66.7 129066
129.67.7 129067
129.70.7 129070
129.71.7 129071
129.78.7 129078
129.79.7 129079
129.80.7 129080
129.81.7 129081
129.82.7 129082
129.83.7 129083
129.84.7 129084
129.85.7 129085
129.86.7 129086
129.87.7 129087
129.88.7 129088
129.89.7 129089
129.90.7 129090
129.91.7 129091
129.92.7 129092
129.93.7 129093
129.94.7 129094
129.95.7 129095
129.96.7 129096
129.97.7 129097
129.98.7 129098
129.99.7 129099
129.100.7 129100
129.101.7 129101
129.102.7 129102
129.103.7 129103
129.104.7 129104
129.105.7 129105
129.106.7 129106
129.107.7 129107
129.108.7 129108
129.109.7 129109
129.110.7 129110
129.111.7 129111
129.112.7 129112
129.113.7 129113
129.114.7 129114
129.115.7 129115
129.116.7 129116
129.117.7 129117
129.118.7 129118
129.119.7 129119
129.120.7 129120
129.121.7 129121
129.122.7 129122
129.123.7 129123
129.125.7 129125
129.126.7 129126
129.127.7 129127
129.128.7 129128
129.129.7 129129
129.130.7 129130
129.131.7 129131
129.132.7 129132
129.133.7 129133
129.134.7 129134
129.135.7 129135
129.136.7 129136
129.137.7 129137
129.138.7 129138
129.139.7 129139
129.140.7 129140
129.141.7 129141
129.142.7 129142
129.143.7 129143
129.144.7 129144
129.145.7 129145
129.146.7 129146
129.147.7 129147
129.148.7 129148
129.149.7 129149
129.150.7 129150
129.151.7 129151
129.152.7 129152
129.153.7 129153
129.154.7 129154
129.155.7 129155
129.156.7 129156
129.157.7 129157
129.158.7 129158
129.159.7 129159
129.160.7 129160
129.161.7 129161
129.162.7 129162
129.163.7 129163
129.164.7 129164
129.165.7 129165
129.166.7 129166
129.167.7 129167
129.168.7 129168
129.169.7 129169
129.170.7 129170
129.171.7 129171
129.172.7 129172
129.173.7 129173
129.174.7 129174
129.175.7 129175
129.176.7 129176
129.177.7 129177
129.178.7 129178
129.179.7 129179
129.180.7 129180
129.181.7 129181
129.182.7 129182
129.183.7 129183
129.184.7 129184
129.185.7 129185
129.186.7 129186
129.187.7 129187
129.188.7 129188
129.189.7 129189
129.190.7 129190
129.191.7 129191
129.192.7 129192
129.193.7 129193
129.194.7 129194
129.195.7 129195
129.196.7 129196
129.197.7 129197
129.198.7 129198
129.199.7 129199
129.200.7 129200
129.201.7 129201
129.202.7 129202
129.203.7 129203
129.204.7 129204
129.205.7 129205
129.206.7 129206
129.207.7 129207
129.208.7 129208
129.209.7 129209
129.210.7 129210
129.211.7 129211
129.212.7 129212
129.214.7 129214
129.215.7 129215
129.216.7 129216
129.217.7 129217
129.218.7 129218
129.219.7 129219
129.220.7 129220
129.221.7 129221
129.222.7 129222
129.223.7 129223
129.224.7 129224
129.225.7 129225
129.226.7 129226
129.227.7 129227
129.228.7 129228
129.229.7 129229
129.230.7 129230
129.231.7 129231
129.232.7 129232
129.233.7 129233
129.234.7 129234
129.235.7 129235
129.236.7 129236
129.237.7 129237
129.238.7 129238
129.239.7 129239
129.240.7 129240
129.241.7 129241
129.242.7 129242
129.243.7 129243
129.244.7 129244
129.245.7 129245
129.246.7 129246
129.247.7 129247
129.248.7 129248
129.249.7 129249
129.250.7 129250
129.251.7 129251
129.252.7 129252
129.253.7 129253
129.254.7 129254
129.255.7 129255
130.208.7 130208
130.209.7 130209
130.210.7 130210
130.211.7 130211
130.212.7 130212
130.213.7 130213
130.214.7 130214
130.215.7 130215
130.216.7 130216
130.217.7 130217
130.218.7 130218
130.219.7 130219
130.220.7 130220
130.221.7 130221
130.222.7 222
130.223.7 223
130.224.7 130224
130.225.7 130225
130.226.7 130226
130.227.7 227
130.228.7 130228
130.229.7 130229
130.230.7 130230
130.231.7 130231
130.232.7 130232
130.255.7 255
131.1.7 131001
131.2.7 131002
131.3.7 131003
131.4.7 131004
131.5.7 131005
131.6.7 131006
131.7.7 131007
131.8.7 131008
131.9.7 131009
131.10.7 131010
131.15.7 131015
131.16.7 131016
131.17.7 131017
131.18.7 131018
131.20.7 131020
131.21.7 131021
131.22.7 131022
131.23.7 131023
131.24.7 131024
131.25.7 131025
131.49.7 131049
131.59.7 131059
131.60.7 131060
131.61.7 131061
131.62.7 131062
131.63.7 131063
131.64.7 131064
131.65.7 131065
131.66.7 131066
131.67.7 131067
131.68.7 131068
131.69.7 131069
131.70.7 131070
131.71.7 131071
131.72.7 131072
131.73.7 131073
131.74.7 131074
131.75.7 131075
131.76.7 131076
131.77.7 131077
131.78.7 131078
131.79.7 131079
131.80.7 131080
131.81.7 131081
131.82.7 131082
131.83.7 131083
131.84.7 131084
131.85.7 131085
131.86.7 131086
131.87.7 131087
131.88.7 131088
131.89.7 131089
131.90.7 131090
131.91.7 131091
131.92.7 131092
131.93.7 131093
131.94.7 131094
131.95.7 131095
131.96.7 131096
131.97.7 131097
131.98.7 131098
131.99.7 131099
131.100.7 131100
131.129.7 131129
131.130.7 131130
131.139.7 131139
131.144.7 131144
131.151.7 131151
131.164.7 131164
131.165.7 131165
131.167.7 131167
131.201.7 131201
131.202.7 131202
131.228.7 131228
131.229.7 131229
131.232.7 131232
131.255.7 131255`;

/** Types of the first surface, or of both. */
export const SECOND_LEVELS = `1=surface 1.8=entireAtmosphere 2=cloudBase 3=cloudTop 4=isothermZero 5=adiabaticCondensation 6=maxWind 7=tropopause 8=nominalTop 9=seaBottom 10=atmosphere 11=cumulonimbusBase 12=cumulonimbusTop 14=freeConvection 15=convectiveCondensation 16=neutralBuoyancy 17=mostUnstableParcel 18=mixedLayerParcel 19=lowestLevelOfCloudCoverExceedance 20=isothermal 28=EffectiveInflowLayerBase 29=EffectiveInflowLayerTop 36=stratopause 37=hygropause 100=isobaricInhPa 100.100=isobaricLayer 101=meanSea 102=heightAboveSea 102.102=heightAboveSeaLayer 103=heightAboveGround 103.103=heightAboveGroundLayer 104=sigma 104.104=sigmaLayer 105=hybrid 105.105=hybridLayer 106=depthBelowLand 106.106=depthBelowLandLayer 107=theta 107.107=thetaLayer 108=pressureFromGround 108.108=pressureFromGroundLayer 109=potentialVorticity 111=eta 114=snow 114.114=snowLayer 117=mixedLayerDepthGeneric 118=hybridHeight 119=hybridPressure 151=soil 151.151=soilLayer 152=seaIce 152.152=seaIceLayer 160=depthBelowSea 160.160=depthBelowSeaLayer 162=lakeBottom 166=mixingLayer 168=oceanModel 168.168=oceanModelLayer 169=mixedLayerDepthByDensity 170=mixedLayerDepthByTemperature 171=mixedLayerDepthByDiffusivity 173=snowTopOverIceOnWater 174=iceTopOnWater 175=iceTopUnderSnowOnWater 176=iceBottomOnWater 177=indefiniteSoilDepth 185=roof 185.185=roofLayer 186=wall 186.186=wallLayer 187=road 187.187=roadLayer 188=meltPondTop 189=meltPondBottom 191=abstractSingleLevel 191.191=abstractSingleLevel 193=flightLevel 254=abstractLevel`;

/** Types of levels. */
export const FIRST_LEVELS = `1=surface 2=cloudBase 3=cloudTop 4=isothermZero 5=adiabaticCondensation 6=maxWind 7=tropopause 8=nominalTop 9=seaBottom 100=isobaricInhPa 101=isobaricLayer 102=meanSea 103=heightAboveSea 104=heightAboveSeaLayer 105=heightAboveGround 106=heightAboveGroundLayer 107=sigma 108=sigmaLayer 109=hybrid 110=hybridLayer 111=depthBelowLand 112=depthBelowLandLayer 113=theta 114=thetaLayer 115=pressureFromGround 116=pressureFromGroundLayer 117=potentialVorticity 121=isobaricLayerHighPrecision 125=heightAboveGroundHighPrecision 128=sigmaLayerHighPrecision 141=isobaricLayerMixedPrecision 160=depthBelowSea 200=entireAtmosphere 201=entireOcean 203=abstractMultipleLevels 210=isobaricInPa 211=oceanWave 212=oceanMixedLayer`;
